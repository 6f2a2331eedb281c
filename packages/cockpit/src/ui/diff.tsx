import { visible } from "@fairlead/contract/visible";
import type { DiffLine, FileDiff } from "../lib/diff.ts";
import { fileName, pairs, withoutLines } from "../lib/diff-shown.ts";
import { Copy, Note } from "./parts.tsx";
import { type Reading, useReading } from "./reading.ts";
import { Visible } from "./visible.tsx";

const SIGN = { same: " ", added: "+", removed: "−", note: " " } as const;
const CLASS = { same: "same", added: "added", removed: "removed", note: "remark" } as const;

/** Changes of files, each under its name. */
export function Diff({ text }: { readonly text: string }) {
  return <ReadDiff reading={useReading(text)} />;
}

/** Changes that somebody else keeps count of: whether all was shown. */
export function ReadDiff({ reading }: { readonly reading: Reading }) {
  const { text, files, shown, lines, whole, showAll } = reading;
  return (
    <div className="stack">
      {files.length === 0 ? <p className="dim small">Nothing would change.</p> : null}
      {files.map((file, index) => (
        <FileChange
          key={index}
          file={file}
          hunks={shown[index]?.hunks ?? []}
          // The whole diff, once: what is copied can be applied.
          copy={index === 0 ? text : null}
        />
      ))}
      {whole ? null : (
        <button type="button" className="button" onClick={showAll}>
          Show all {lines} lines
        </button>
      )}
    </div>
  );
}

/** More changed than is kept to be shown. */
export function Cut() {
  return <Note tone="warn">There is more than is shown here: the changes were cut off.</Note>;
}

/** A change of a file: side by side where there is room, one column on a phone. Signs say what colour says. */
function FileChange(props: {
  readonly file: FileDiff;
  readonly hunks: FileDiff["hunks"];
  readonly copy: string | null;
}) {
  const { file, hunks, copy } = props;
  const name = fileName(file) || "file";
  const words = withoutLines(file);
  return (
    <figure className="diff">
      <figcaption className="code-head">
        <span className="ellipsis mono">
          <Visible text={name} />
        </span>
        <span className="row">
          {file.hunks.length === 0 ? null : (
            <span className="num">
              <span className="added-count">+{file.added}</span>{" "}
              <span className="removed-count">−{file.removed}</span>
            </span>
          )}
          {copy === null ? null : <Copy text={copy} />}
        </span>
      </figcaption>
      <div className="diff-body" tabIndex={0} role="group" aria-label={`Change of ${visible(name)}`}>
        {file.notes.map((note, index) => (
          <p key={index} className="small plain-text">
            <Visible text={note} />
          </p>
        ))}
        {file.hunks.length === 0 && words !== null ? <p className="dim small">{words}</p> : null}
        {hunks.map((hunk, index) => (
          <Hunk key={index} title={hunk.title} lines={hunk.lines} />
        ))}
      </div>
    </figure>
  );
}

function Hunk({ title, lines }: { readonly title: string; readonly lines: readonly DiffLine[] }) {
  return (
    <table className={isNew(lines) ? "diff-table one-sided" : "diff-table"}>
      <caption className="hidden-text">{title}</caption>
      <colgroup>
        <col className="number-col" />
        <col />
        <col className="number-col" />
        <col />
      </colgroup>
      <tbody>
        {pairs(lines).map(({ left, right }, index) => (
          <tr key={index} className={left === right ? "same" : ""}>
            <Side line={left} number={left?.before ?? null} side="left" />
            <Side line={right} number={right?.after ?? null} side="right" />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Side(props: {
  readonly line: DiffLine | null;
  readonly number: number | null;
  readonly side: "left" | "right";
}) {
  const { line, number, side } = props;
  if (line === null)
    return (
      <>
        <td className={`number none ${side}`} />
        <td className={`line none ${side}`} />
      </>
    );
  const { kind, text } = line;
  return (
    <>
      <td className={`number ${CLASS[kind]} ${side}`}>{number}</td>
      <td className={`line ${CLASS[kind]} ${side}`}>
        <span aria-hidden="true">{SIGN[kind]}</span>
        {kind === "same" || kind === "note" ? null : <span className="hidden-text">{kind}: </span>}
        <Visible text={kind === "same" ? text.replace(/\r$/, "") : text} />
      </td>
    </>
  );
}

/** A file that was not there: nothing stands beside its lines. */
function isNew(lines: readonly DiffLine[]): boolean {
  return lines.every(({ kind }) => kind === "added" || kind === "note");
}

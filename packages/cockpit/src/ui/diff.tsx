import { visible } from "@fairlead/contract/visible";
import { useMemo, useState } from "react";
import { type Diff as Parsed, type DiffLine, pairs, parseDiff } from "../lib/diff.ts";
import { Copy } from "./parts.tsx";
import { Visible } from "./visible.tsx";

const SIGN = { same: " ", added: "+", removed: "−" } as const;
/** More at once would make the page slow; the rest is a button away. */
const MOST_LINES = 400;

/** A change of a file: side by side where there is room, one column on a phone. Signs say what colour says. */
export function Diff({ text }: { readonly text: string }) {
  const diff = useMemo(() => parseDiff(text), [text]);
  const [all, setAll] = useState(false);
  const lines = diff.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  return (
    <figure className="diff">
      <figcaption className="code-head">
        <span className="ellipsis mono">
          <Visible text={nameOf(diff)} />
        </span>
        <span className="row">
          <span className="num">
            <span className="added-count">+{diff.added}</span>{" "}
            <span className="removed-count">−{diff.removed}</span>
          </span>
          <Copy text={text} />
        </span>
      </figcaption>
      <div className="diff-body" tabIndex={0} role="group" aria-label={`Change of ${visible(nameOf(diff))}`}>
        {diff.hunks.length === 0 ? <p className="dim small">The file would stay as it is.</p> : null}
        {diff.hunks.map((hunk) => (
          <table key={hunk.title} className={isNew(hunk.lines) ? "diff-table one-sided" : "diff-table"}>
            <caption className="hidden-text">{hunk.title}</caption>
            <colgroup>
              <col className="number-col" />
              <col />
              <col className="number-col" />
              <col />
            </colgroup>
            <tbody>
              {pairs(all ? hunk.lines : hunk.lines.slice(0, MOST_LINES)).map(({ left, right }, index) => (
                <tr key={index} className={left === right ? "same" : ""}>
                  <Side line={left} number={left?.before ?? null} side="left" />
                  <Side line={right} number={right?.after ?? null} side="right" />
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </div>
      {lines > MOST_LINES && !all ? (
        <button type="button" className="button" onClick={() => setAll(true)}>
          Show all {lines} lines before you decide
        </button>
      ) : null}
    </figure>
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
  return (
    <>
      <td className={`number ${line.kind} ${side}`}>{number}</td>
      <td className={`line ${line.kind} ${side}`}>
        <span aria-hidden="true">{SIGN[line.kind]}</span>
        {line.kind === "same" ? null : <span className="hidden-text">{line.kind}: </span>}
        <Visible text={line.kind === "same" ? line.text.replace(/\r$/, "") : line.text} />
      </td>
    </>
  );
}

/** A file that was not there: nothing stands beside its lines. */
function isNew(lines: readonly DiffLine[]): boolean {
  return lines.every(({ kind }) => kind === "added");
}

function nameOf({ before, after }: Parsed): string {
  return (after === "/dev/null" ? before : after).replace(/^[ab]\//, "") || "file";
}

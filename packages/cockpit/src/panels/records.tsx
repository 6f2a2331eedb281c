import { type AuditLine, auditInWords } from "@fairlead/contract/view";
import { onALine } from "../lib/on-a-line.ts";
import { Link, pathOf } from "../lib/router.tsx";
import { clockTime } from "../lib/time.ts";
import { Ticked } from "../ui/ticked.tsx";
import { Visible } from "../ui/visible.tsx";

type Row = Readonly<Record<string, unknown>>;

/** Which sources the model was told facts of, and how many. */
export function Memory({ rows }: { readonly rows: readonly Row[] }) {
  if (rows.length === 0) return <p className="dim tiny">Nothing was remembered from elsewhere.</p>;
  return (
    <ul role="list" className="plain-list tiny records">
      {rows.map(({ at, source, subject, ...rest }, index) => (
        <li key={index}>
          <When at={at} />
          <div>
            <Visible
              text={[source, subject]
                .filter((part) => part !== undefined)
                .map(onALine)
                .join(" ")}
            />
          </div>
          <Rest of={rest} />
        </li>
      ))}
    </ul>
  );
}

/** What was done to the session and by whom, the last first. */
export function Audit({ rows }: { readonly rows: readonly Row[] }) {
  if (rows.length === 0) return <p className="dim tiny">Nothing was decided, enforced or mended yet.</p>;
  return (
    <ul role="list" className="plain-list tiny records">
      {rows.toReversed().map((row, index) => (
        <li key={index}>
          <Line line={auditInWords(row)} />
        </li>
      ))}
    </ul>
  );
}

function Line({ line: { at, title, text, question, rest } }: { readonly line: AuditLine }) {
  return (
    <>
      <When at={at} />
      <div>
        <strong>
          <Visible text={title} />
        </strong>{" "}
        <Ticked text={text} />{" "}
        {question === null ? null : <Link href={pathOf("question", { id: question })}>The question</Link>}
      </div>
      <Rest of={rest} />
    </>
  );
}

function When({ at }: { readonly at: unknown }) {
  return typeof at === "string" ? <div className="dim num">{clockTime(at)}</div> : null;
}

/** Whatever else a record says. */
function Rest({ of }: { readonly of: Row }) {
  const said = Object.entries(of).map(([name, value]) => `${name} ${onALine(value)}`);
  if (said.length === 0) return null;
  return (
    <div className="dim">
      <Visible text={said.join(" · ")} />
    </div>
  );
}

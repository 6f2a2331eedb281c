import { onALine } from "../lib/on-a-line.ts";
import { Visible } from "../ui/visible.tsx";
import { clockTime } from "../lib/time.ts";

type Rows = readonly Readonly<Record<string, unknown>>[];

/** Which sources the model was told facts of, and how many. */
export function Memory({ rows }: { readonly rows: Rows }) {
  if (rows.length === 0) return <p className="dim tiny">Nothing was remembered from elsewhere.</p>;
  return <List rows={rows} first={["source", "subject"]} skip={["at"]} />;
}

/** What was done to the session and by whom, the last first. */
export function Audit({ rows }: { readonly rows: Rows }) {
  if (rows.length === 0) return <p className="dim tiny">Nothing was decided, enforced or mended yet.</p>;
  return <List rows={rows.toReversed()} first={["kind", "summary"]} skip={["at"]} />;
}

/** Each record with the fields we know first, and whatever else it says after them. */
function List(props: {
  readonly rows: Rows;
  readonly first: readonly string[];
  readonly skip: readonly string[];
}) {
  const { rows, first, skip } = props;
  return (
    <ul role="list" className="plain-list tiny records">
      {rows.map((row, index) => {
        const others = Object.keys(row).filter((name) => !first.includes(name) && !skip.includes(name));
        return (
          <li key={index}>
            {typeof row["at"] === "string" ? <div className="dim num">{clockTime(row["at"])}</div> : null}
            <div>
              {first.map((name) => (row[name] === undefined ? null : <Field key={name} value={row[name]} />))}
            </div>
            {others.length === 0 ? null : (
              <div className="dim">
                <Visible text={others.map((name) => `${name} ${onALine(row[name])}`).join(" · ")} />
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Field({ value }: { readonly value: unknown }) {
  return (
    <>
      <Visible text={onALine(value)} />{" "}
    </>
  );
}

import { worded } from "@fairlead/contract/view";
import { onALine } from "../lib/on-a-line.ts";
import { Output } from "./output.tsx";
import { Visible } from "./visible.tsx";

/** Deeper, and longer, it is read as it is: in the debug tier. */
const DEEP = 3;
const MOST = 50;
/** A text that is longer, or has lines, has a box of its own. */
const LONG = 300;

/** Any value, for who does not read JSON: names and values, lists, yes and no. Text stays as it is. */
export function Readable({ value, depth = 0 }: { readonly value: unknown; readonly depth?: number }) {
  if (value === null || value === undefined || value === "") return <span className="dim">nothing</span>;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string" && (value.includes("\n") || value.length > LONG))
    return <Output value={value} />;
  if (typeof value !== "object")
    return (
      <span className="readable-text">
        <Visible text={String(value)} />
      </span>
    );
  const all = Array.isArray(value) ? value : Object.entries(value);
  if (all.length === 0) return <span className="dim">nothing</span>;
  if (depth >= DEEP) return <span className="dim">{onALine(value)}</span>;
  const shown = all.slice(0, MOST);
  const rest = all.length - shown.length;
  return (
    <>
      {Array.isArray(value) ? (
        <ul role="list" className="readable-list">
          {shown.map((item, index) => (
            <li key={index}>
              <Readable value={item} depth={depth + 1} />
            </li>
          ))}
        </ul>
      ) : (
        <dl className="facts">
          {(shown as [string, unknown][]).map(([name, part]) => (
            <div key={name} className="fact">
              <dt>
                <Visible text={worded(name)} />
              </dt>
              <dd>
                <Readable value={part} depth={depth + 1} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {rest === 0 ? null : <p className="dim tiny">and {rest} more</p>}
    </>
  );
}

import type { RouteReply } from "@fairlead/contract";
import type { ReactNode } from "react";
import { call } from "../lib/api.ts";
import { useAsked } from "../lib/asked.ts";
import { Link, pathOf } from "../lib/router.tsx";
import { useTitle } from "../lib/title.ts";
import { count, money } from "../session/numbers.ts";
import { StatusChip } from "../ui/chip.tsx";
import { Cut, Diff } from "../ui/diff.tsx";
import { ASKS, MAY } from "../ui/modes.ts";
import { Note, ProblemNote } from "../ui/parts.tsx";
import { Visible } from "../ui/visible.tsx";

type Comparison = RouteReply<"compareSessions">;
type Side = Comparison["a"];

/** Two sessions side by side, from the last event that both have. */
export function ComparePage({ id, other }: { readonly id: string; readonly other: string }) {
  useTitle("Compare");
  const of = `${id} ${other}`;
  const { found, problem } = useAsked(of, null, (signal) =>
    call("compareSessions", { params: { id, other }, signal }),
  );
  return (
    <div className="page">
      <header className="page-head">
        <h1>Compare</h1>
      </header>
      {problem === null ? null : <ProblemNote problem={problem} />}
      {found?.of === of ? <Compared found={found.value} /> : null}
    </div>
  );
}

function Compared({ found: { ancestor, a, b, files, files_note } }: { readonly found: Comparison }) {
  // Whose event they part at: the other one was branched from it.
  const parent = [a, b].find(({ session_id }) => session_id === ancestor?.session_id)?.session_id ?? null;
  return (
    <div className="stack">
      <p className="dim small">
        {ancestor === null
          ? "They share no event: each is shown from its beginning."
          : `They share everything up to event ${ancestor.seq}. What each did since then:`}
      </p>
      <div className="card scroll">
        <table className="compare">
          <thead>
            <tr>
              <td />
              {[a, b].map((side) => (
                <th key={side.session_id} scope="col">
                  <Link href={pathOf("session", { id: side.session_id })}>
                    <Visible text={side.title ?? "Untitled session"} />
                  </Link>
                  {parent === null ? null : (
                    <div className="tiny dim">{side.session_id === parent ? "The parent" : "The branch"}</div>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Line name="Status" sides={[a, b]} value={(side) => <StatusChip status={side.status} />} />
            <Line name="Model" sides={[a, b]} value={(side) => side.model ?? "–"} />
            <Line name="May do" sides={[a, b]} value={(side) => worded(MAY, side.permission_mode)} />
            <Line name="Asks" sides={[a, b]} value={(side) => worded(ASKS, side.approval_mode)} />
            {a.instructions === b.instructions ? null : (
              <Line name="Told" sides={[a, b]} value={({ instructions }) => <Told text={instructions} />} />
            )}
            <Line
              name="Events"
              sides={[a, b]}
              value={(side) => `${count(side.events)}${side.truncated ? "+" : ""}`}
            />
            <Line name="Tokens" sides={[a, b]} value={(side) => count(side.total_tokens)} />
            <Line name="Cost" sides={[a, b]} value={costOf} />
            <Line
              name="Questions"
              sides={[a, b]}
              value={({ questions }) =>
                `${questions.asked} asked, ${questions.approved} approved, ${questions.denied} denied`
              }
            />
            <Line name="Tools" sides={[a, b]} value={(side) => <Tools side={side} />} />
            <Line name="Turns" sides={[a, b]} value={(side) => <Turns side={side} />} />
          </tbody>
        </table>
      </div>
      {files === null ? <Note>{files_note ?? "Nothing is known of their files."}</Note> : null}
      {files === null || files.diff === "" ? null : <Diff text={files.diff} />}
      {files?.truncated === true ? <Cut /> : null}
    </div>
  );
}

/** 0 is a price; where no model was asked, nothing was spent. */
function costOf({ cost_usd, priced, total_tokens }: Side): string {
  return priced || total_tokens === 0 ? money(cost_usd) : "price not known";
}

/** A mode of a newer server is shown as it is called. */
function worded(words: Readonly<Record<string, string>>, name: string | null): string {
  return name === null ? "–" : (words[name] ?? name);
}

function Told({ text }: { readonly text: string | null }) {
  return text === null ? <span className="dim">nothing</span> : <Visible text={text} />;
}

function Line(props: {
  readonly name: string;
  readonly sides: readonly Side[];
  readonly value: (side: Side) => ReactNode;
}) {
  return (
    <tr>
      <th scope="row">{props.name}</th>
      {props.sides.map((side) => (
        <td key={side.session_id}>{props.value(side)}</td>
      ))}
    </tr>
  );
}

function Tools({ side }: { readonly side: Side }) {
  const names = Object.entries(side.tools);
  if (names.length === 0) return <span className="dim">none</span>;
  return (
    <ul role="list">
      {names.map(([name, outcomes]) => (
        <li key={name}>
          <code>{name}</code>{" "}
          {Object.entries(outcomes)
            .map(([outcome, times]) => `${times} ${outcome}`)
            .join(", ")}
        </li>
      ))}
    </ul>
  );
}

function Turns({ side }: { readonly side: Side }) {
  if (side.turns.length === 0) return <span className="dim">none</span>;
  return (
    <ol role="list" className="plain-list">
      {side.turns.map((turn) => (
        <li key={turn.turn_id}>
          <strong>{turn.input === "" ? "The turn that was open when they parted" : turn.input}</strong>
          <div className="small dim">
            {turn.outcome}
            {turn.result === null ? "" : `: ${turn.result}`}
          </div>
        </li>
      ))}
    </ol>
  );
}

import type { QuestionRow, QuestionState } from "@fairlead/contract";
import { subjectOf } from "@fairlead/contract/view";
import { visible } from "@fairlead/contract/visible";
import { useState } from "react";
import { call } from "../lib/api.ts";
import { usePaged } from "../lib/paged.ts";
import { Link, pathOf } from "../lib/router.tsx";
import { useStore } from "../lib/store.ts";
import { askerOf, reachOf } from "../questions/model.ts";
import { inbox } from "../state/inbox.ts";
import { Chip, decisionSign, RISK_SIGNS } from "../ui/chip.tsx";
import { Age, Empty, ProblemNote } from "../ui/parts.tsx";
import { ReadingHint } from "../ui/reading-hint.tsx";

const STATES = {
  "": "All",
  pending: "Waiting",
  approved: "Approved",
  edited: "Approved with changes",
  denied: "Denied",
  expired: "Expired or withdrawn",
} as const satisfies Record<"" | QuestionState, string>;

/** Every question there was, the newest first, with what became of it. */
export function History() {
  const { inbox: moved } = useStore(inbox);
  const [state, setState] = useState<keyof typeof STATES>("");
  const { rows, more, busy, load, problem } = usePaged(state, moved, (page, signal) =>
    call("listQuestions", { query: { ...page, ...(state === "" ? {} : { state }) }, signal }),
  );
  return (
    <section className="group" aria-labelledby="history">
      <div className="row section-head">
        <h2 id="history" className="grow">
          History
        </h2>
        <select
          className="input"
          aria-label="Decision"
          value={state}
          onChange={(event) => setState(event.target.value as keyof typeof STATES)}
        >
          {Object.entries(STATES).map(([name, word]) => (
            <option key={name} value={name}>
              {word}
            </option>
          ))}
        </select>
      </div>
      {problem === null ? null : <ProblemNote problem={problem} />}
      {rows === null && problem === null ? <ReadingHint what="what was asked" /> : null}
      {rows !== null && rows.length === 0 && !busy ? (
        <Empty icon="shield" title={state === "" ? "Nobody has asked anything yet" : "None of these"}>
          <p>Each question of an agent stays here with its decision: which, by whom, and when.</p>
        </Empty>
      ) : null}
      {rows === null || rows.length === 0 ? null : (
        <ul role="list" className="card rows">
          {rows.map((row) => (
            <li key={row.request_id}>
              <Link href={pathOf("question", { id: row.request_id })} className="session-item">
                <span className="row">
                  <Chip sign={decisionSign(row.state, row.moot)} />
                  <strong className="grow ellipsis">
                    <code>{visible(askerOf(row.tool_name))}</code>
                    <Subject of={row} />
                  </strong>
                  {row.risk === null ? null : <Chip sign={RISK_SIGNS[row.risk] ?? RISK_SIGNS["high"]!} />}
                  <span className="dim tiny age">
                    <Age at={row.decided_at ?? row.asked_at} />
                  </span>
                </span>
                <span className="dim tiny ellipsis">{visible(aboutOf(row))}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {more ? (
        <p className="more">
          <button type="button" className="button" onClick={load}>
            Show older questions
          </button>
        </p>
      ) : null}
    </section>
  );
}

/** What the call is about: of a yes with changes, what was done instead. */
function Subject({ of: { shown, edited } }: { readonly of: QuestionRow }) {
  const subject = (edited === undefined ? null : subjectOf({ arguments: edited })) ?? subjectOf(shown);
  return subject === null ? null : <code className="subject"> {visible(subject)}</code>;
}

/** Whose it is, who decided it how far, and why it was asked. */
function aboutOf({ session_title, actor, note, scope, reason }: QuestionRow): string {
  const reach = scope === undefined || scope.kind === "call" ? null : reachOf(scope);
  const by = actor === null ? null : `by ${actor}${reach === null ? "" : `, for ${reach}`}`;
  const said = by === null || note === null ? by : `${by}: ${note}`;
  return [session_title ?? "Untitled session", said, reason]
    .filter((part) => part !== null && part !== "")
    .join(" · ");
}

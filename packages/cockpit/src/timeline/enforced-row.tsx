import { Crossings } from "../questions/crossings.tsx";
import { GoOn } from "../session/go-on.tsx";
import { LimitsButton } from "../session/limits.tsx";
import { useMay } from "../state/me.ts";
import { Note } from "../ui/parts.tsx";
import type { RowProps } from "./rows.tsx";

/** What was done, what holds now, and what somebody who may can do. */
const WORDS = {
  pause: {
    done: "A budget is used up: the session was paused",
    now: "It waits where it is and uses nothing more until somebody lets it go on.",
    can: "Raise the limit, let it go on with as much again, or cancel it.",
  },
  end: {
    done: "A budget is used up: the turn was ended",
    now: "What it did is kept. Nothing more is used before the limit is raised.",
    can: "Raise the limit, then say below how to go on.",
  },
} as const;

export function EnforcedRow({ entry, sessionId }: RowProps<"enforced">) {
  const { done, now, can } = WORDS[entry.action];
  const may = useMay("operator");
  return (
    <Note tone={entry.over ? "calm" : "warn"} icon="warning">
      <strong>{done}</strong>
      {entry.crossed.length === 0 ? <p>{entry.reason}</p> : <Crossings crossed={entry.crossed} />}
      {entry.over ? (
        <p className="small">It has gone on since.</p>
      ) : (
        <>
          <p className="small">
            {now} {may ? can : "Who operates it can let it go on."}
          </p>
          <div className="row wrap">
            <LimitsButton sessionId={sessionId} />
            {entry.action === "pause" ? <GoOn sessionId={sessionId} /> : null}
          </div>
        </>
      )}
    </Note>
  );
}

import { Crossings } from "../questions/crossings.tsx";
import { GoOn } from "../session/go-on.tsx";
import { LimitsButton } from "../session/limits.tsx";
import { Note } from "../ui/parts.tsx";
import type { RowProps } from "./rows.tsx";

const DONE = {
  pause: "A budget is used up: the session was paused",
  end: "A budget is used up: the turn was ended",
} as const;

/** What was done about a budget, and what can be done now. */
export function EnforcedRow({ entry, sessionId }: RowProps<"enforced">) {
  return (
    <Note tone={entry.over ? "calm" : "warn"} icon="warning">
      <strong>{DONE[entry.action]}</strong>
      {entry.crossed.length === 0 ? <p>{entry.reason}</p> : <Crossings crossed={entry.crossed} />}
      {entry.over ? <p className="small">It has gone on since.</p> : null}
      {entry.over ? null : (
        <div className="row wrap">
          <LimitsButton sessionId={sessionId} />
          {entry.action === "pause" ? <GoOn sessionId={sessionId} /> : null}
        </div>
      )}
    </Note>
  );
}

import type { InboxEntry } from "@fairlead/contract/inbox";
import { useState } from "react";
import { call, commandKey, type Problem, problemOf } from "../lib/api.ts";
import { Link, pathOf } from "../lib/router.tsx";
import { refreshInbox } from "../state/inbox.ts";
import { useMay } from "../state/me.ts";
import { Icon } from "../ui/icon.tsx";
import { ProblemNote } from "../ui/parts.tsx";

/** Takes it out of this person's inbox. */
export async function markSeen({ session_id, seq }: InboxEntry): Promise<void> {
  await call("markSeen", { params: { id: session_id }, body: { upto_seq: seq } });
  refreshInbox();
}

/** Work that can go on where it stopped, or be tried before its time comes. */
function canResume({ group, kind, status, until }: InboxEntry): boolean {
  if (kind !== "background") return false;
  if (group === "working") return until !== undefined;
  const stands = group === "needs_review" || group === "needs_input";
  return stands && (status === "failed" || status === "needs_review" || status === "paused");
}

/** What a person would do about it next, by mouse as well. What is refused is said here. */
export function Actions(props: {
  readonly entry: InboxEntry;
  /** Undefined while it is being decided. */
  readonly onDecide: ((mode: "approve" | "deny") => void) | undefined;
}) {
  const { entry, onDecide } = props;
  const may = useMay("operator");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { session_id, request_id, group, action, status } = entry;
  const params = { id: session_id };

  async function attempt(work: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    setProblem(null);
    await work().then(refreshInbox, (error: unknown) => setProblem(problemOf(error)));
    setBusy(false);
  }

  return (
    <>
      <span className="row inbox-actions">
        {action === "decide" && onDecide !== undefined && may ? (
          <>
            <button type="button" className="button" onClick={() => onDecide("approve")}>
              <Icon name="check" /> Approve…
            </button>
            <button type="button" className="button" onClick={() => onDecide("deny")}>
              <Icon name="cross" /> Deny…
            </button>
          </>
        ) : null}
        {action === "answer" && request_id !== null && may ? (
          <Link className="button" href={pathOf("question", { id: request_id })}>
            <Icon name="hand" /> Answer
          </Link>
        ) : null}
        {may && group === "needs_review" && status === "needs_review" ? (
          <button
            type="button"
            className="button"
            disabled={busy}
            title="Say that it is good as it is"
            onClick={() => void attempt(() => call("acceptSession", { params, body: {} }))}
          >
            <Icon name="check" /> Accept
          </button>
        ) : null}
        {may && canResume(entry) ? (
          <button
            type="button"
            className="button"
            disabled={busy}
            title={entry.until === undefined ? undefined : "Try it now, and not only when its time comes"}
            onClick={() =>
              void attempt(() => call("resumeSession", { params, body: {}, idempotencyKey: commandKey() }))
            }
          >
            <Icon name="play" /> Resume
          </button>
        ) : null}
        {group === "done" || group === "needs_review" ? (
          <button
            type="button"
            className="button quiet"
            disabled={busy}
            title="Take it out of the inbox, everywhere"
            onClick={() => void attempt(() => markSeen(entry))}
          >
            <Icon name="check" /> Mark seen
          </button>
        ) : null}
      </span>
      {problem === null ? null : (
        <div className="inbox-problem">
          <ProblemNote problem={problem} />
        </div>
      )}
    </>
  );
}

import type { InboxEntry } from "@fairlead/contract/inbox";
import { useAct } from "../lib/act.ts";
import { call } from "../lib/api.ts";
import { Link, pathOf } from "../lib/router.tsx";
import { Accept } from "../session/accept.tsx";
import { TryAgain } from "../session/again.tsx";
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
  if (status === "paused") return true;
  const stands = group === "needs_review" || group === "needs_input";
  return stands && (status === "failed" || status === "needs_review");
}

/** What a person would do about it next, by mouse as well. What is refused is said here. */
export function Actions(props: {
  readonly entry: InboxEntry;
  /** Undefined while it is being decided. */
  readonly onDecide: ((mode: "approve" | "deny") => void) | undefined;
}) {
  const { entry, onDecide } = props;
  const may = useMay("operator");
  const { busy, problem, act } = useAct();
  const { session_id, request_id, group, action, status, kind } = entry;
  const params = { id: session_id };

  const attempt = (what: string, work: (key: string) => Promise<unknown>): void =>
    void act(what, async (key) => {
      await work(key);
      refreshInbox();
    });

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
          <Accept
            busy={busy}
            quiet
            onAccept={(reason) =>
              attempt(`accept ${reason}`, () =>
                call("acceptSession", { params, body: reason === "" ? {} : { reason } }),
              )
            }
          />
        ) : null}
        {may && canResume(entry) ? (
          <button
            type="button"
            className="button"
            disabled={busy}
            title={entry.until === undefined ? undefined : "Try it now, and not only when its time comes"}
            onClick={() =>
              attempt("resume", (idempotencyKey) =>
                call("resumeSession", { params, body: {}, idempotencyKey }),
              )
            }
          >
            <Icon name="play" /> Resume
          </button>
        ) : null}
        {may && group === "needs_review" && kind === "chat" ? (
          <TryAgain sessionId={session_id} onSent={refreshInbox} />
        ) : null}
        {group === "done" || group === "needs_review" ? (
          <button
            type="button"
            className="button quiet"
            disabled={busy}
            title="Take it out of the inbox, everywhere"
            onClick={() => attempt("seen", () => markSeen(entry))}
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

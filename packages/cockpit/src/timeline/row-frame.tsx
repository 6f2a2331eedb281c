import type { Entry } from "@fairlead/contract/view";
import { memo, useState } from "react";
import { call, commandKey, type Problem, problemOf } from "../lib/api.ts";
import { navigate, pathOf } from "../lib/router.tsx";
import { useStorePart } from "../lib/store.ts";
import { clockTime } from "../lib/time.ts";
import { useMay } from "../state/me.ts";
import type { SessionFeed } from "../state/session-feed.ts";
import { Code } from "../ui/code.tsx";
import { Icon } from "../ui/icon.tsx";
import { ProblemNote } from "../ui/parts.tsx";
import { Row } from "./rows.tsx";

/** A row with what can be done from it: branch here, and in the debug tier its raw events. */
export const RowFrame = memo(function RowFrame(props: {
  readonly entry: Entry;
  readonly sessionId: string;
  readonly debug: boolean;
  readonly feed: SessionFeed;
}) {
  const { entry, sessionId, debug, feed } = props;
  const kind = useStorePart(feed, ({ summary }) => summary.state.kind ?? "chat");
  // What a foreign agent did cannot be gone on with from here.
  const mayBranch = useMay("operator") && kind !== "supervised";
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);

  async function branch(): Promise<void> {
    setBusy(true);
    try {
      // The whole row: also what came of it.
      const last = feed.frameAt(entry.sources.at(-1) ?? entry.seq);
      const made = await call(kind === "background" ? "resumeSession" : "branchChatSession", {
        params: { id: sessionId },
        body: { from_event_id: last?.id ?? entry.id },
        idempotencyKey: commandKey(),
      });
      navigate(pathOf("session", { id: made.session_id }));
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  }

  return (
    <div className={`row-frame kind-${entry.kind}`}>
      <div className="row-main">
        <Row entry={entry} sessionId={sessionId} />
        {problem === null ? null : <ProblemNote problem={problem} />}
        {debug && entry.kind !== "raw" ? <Sources entry={entry} feed={feed} /> : null}
      </div>
      <div className="row-side tiny">
        <time dateTime={entry.at} title={clockTime(entry.at)} className="dim num">
          {new Date(entry.at).toLocaleTimeString([], {
            hour: "2-digit",
            minute: "2-digit",
            second: "2-digit",
            hour12: false,
          })}
        </time>
        {mayBranch ? (
          <button
            type="button"
            className="button quiet icon-only branch-here"
            title="Branch here: a new session with the history up to and with this"
            aria-label={`Branch here, at event ${entry.seq}`}
            disabled={busy}
            onClick={() => void branch()}
          >
            <Icon name="branch" />
          </button>
        ) : null}
      </div>
    </div>
  );
});

function Sources({ entry, feed }: { readonly entry: Entry; readonly feed: SessionFeed }) {
  const [open, setOpen] = useState(false);
  const frames = open
    ? entry.sources.map((seq) => feed.frameAt(seq)).filter((frame) => frame !== undefined)
    : [];
  return (
    <details className="raw" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="tiny dim">
        raw: seq {entry.sources.join(", ")} · <code>{entry.id}</code>
      </summary>
      {frames.map((frame) => (
        <Code key={frame.seq} value={frame} label={`${frame.type}, seq ${frame.seq}`} />
      ))}
    </details>
  );
}

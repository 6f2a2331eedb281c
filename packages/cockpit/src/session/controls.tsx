import { useState } from "react";
import { call, type Problem, problemOf } from "../lib/api.ts";
import { useStorePart } from "../lib/store.ts";
import type { SessionFeed } from "../state/session-feed.ts";
import { useMay } from "../state/me.ts";
import { Icon } from "../ui/icon.tsx";
import { ProblemNote } from "../ui/parts.tsx";

const GOING: ReadonlySet<string> = new Set(["queued", "running", "recovering", "awaiting_approval"]);
const HELD: ReadonlySet<string> = new Set(["paused", "recovering", "failed", "needs_review"]);

/** Pause, resume and cancel of background work. A chat is stopped beside what is said to it. */
export function Controls({ id, feed }: { readonly id: string; readonly feed: SessionFeed }) {
  const kind = useStorePart(feed, ({ summary }) => summary.state.kind);
  const status = useStorePart(feed, ({ summary }) => summary.state.status ?? "idle");
  const may = useMay("operator");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  if (kind !== "background" || !may) return null;

  async function order(name: "pauseSession" | "resumeSession" | "cancelSession"): Promise<void> {
    setBusy(true);
    setProblem(null);
    await call(name, { params: { id }, body: { reason: "From the cockpit." } }).catch((error: unknown) =>
      setProblem(problemOf(error)),
    );
    setBusy(false);
  }

  return (
    <>
      {problem === null ? null : <ProblemNote problem={problem} />}
      {GOING.has(status) ? (
        <button type="button" className="button" disabled={busy} onClick={() => void order("pauseSession")}>
          <Icon name="pause" /> <span className="wide-only">Pause</span>
        </button>
      ) : null}
      {HELD.has(status) ? (
        <button type="button" className="button" disabled={busy} onClick={() => void order("resumeSession")}>
          <Icon name="play" /> <span className="wide-only">Resume</span>
        </button>
      ) : null}
      {GOING.has(status) || status === "paused" ? (
        <button
          type="button"
          className="button danger"
          disabled={busy}
          onClick={() => void order("cancelSession")}
        >
          <Icon name="stop" /> <span className="wide-only">Cancel</span>
        </button>
      ) : null}
    </>
  );
}

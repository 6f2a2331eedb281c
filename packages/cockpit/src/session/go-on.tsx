import { useState } from "react";
import { call, type Problem, problemOf } from "../lib/api.ts";
import { useMay } from "../state/me.ts";
import { Icon } from "../ui/icon.tsx";
import { ProblemNote } from "../ui/parts.tsx";

/** Lets background work that waits go on as it is. */
export function GoOn({ sessionId }: { readonly sessionId: string }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  if (!useMay("operator")) return null;
  async function resume(): Promise<void> {
    setBusy(true);
    setProblem(null);
    await call("resumeSession", { params: { id: sessionId }, body: { reason: "From the cockpit." } }).catch(
      (error: unknown) => setProblem(problemOf(error)),
    );
    setBusy(false);
  }
  return (
    <>
      <button
        type="button"
        className="button"
        disabled={busy}
        title="It goes on with as much again of what was used up"
        onClick={() => void resume()}
      >
        <Icon name="play" /> Resume with as much again
      </button>
      {problem === null ? null : <ProblemNote problem={problem} />}
    </>
  );
}

import { useAct } from "../lib/act.ts";
import { call } from "../lib/api.ts";
import { useMay } from "../state/me.ts";
import { Icon } from "../ui/icon.tsx";
import { ProblemNote } from "../ui/parts.tsx";

/** Lets background work that waits go on as it is. */
export function GoOn({ sessionId }: { readonly sessionId: string }) {
  const { busy, problem, act } = useAct();
  if (!useMay("operator")) return null;
  const resume = (): Promise<void> =>
    act("resume", (idempotencyKey) =>
      call("resumeSession", {
        params: { id: sessionId },
        body: { reason: "From the cockpit." },
        idempotencyKey,
      }),
    );
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

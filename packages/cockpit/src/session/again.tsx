import { useAct } from "../lib/act.ts";
import { call } from "../lib/api.ts";
import { Icon } from "../ui/icon.tsx";
import { Note, ProblemNote } from "../ui/parts.tsx";

const LAST = { before: Number.MAX_SAFE_INTEGER, limit: 1, types: ["turn_start"], history: "full" };

/** What was last asked of it, all of it. */
async function lastRequest(id: string): Promise<string> {
  const { events } = await call("listEvents", { params: { id }, query: LAST as object });
  const [frame] = events as readonly { readonly payload?: unknown; readonly blobs?: object }[];
  const { input } = (frame?.payload ?? {}) as { readonly input?: unknown };
  const { sha256 } =
    ((frame?.blobs ?? {}) as { readonly "/input"?: { readonly sha256?: string } })["/input"] ?? {};
  if (sha256 !== undefined)
    return new TextDecoder().decode(await call("getBlob", { params: { id, sha256 } }));
  return typeof input === "string" ? input : "";
}

/** Asks for the same again: a turn of its own, begun once however often it is pressed. */
export function TryAgain({
  sessionId,
  onSent,
}: {
  readonly sessionId: string;
  readonly onSent?: () => void;
}) {
  const { busy, problem, act } = useAct();
  const send = async (idempotencyKey: string): Promise<void> => {
    const input = await lastRequest(sessionId);
    await call("startTurn", { params: { id: sessionId }, body: { input }, idempotencyKey });
    onSent?.();
  };
  return (
    <>
      <button
        type="button"
        className="button"
        disabled={busy}
        title="Sends the same request again"
        onClick={() => void act("again", send)}
      >
        <Icon name="play" /> Try again
      </button>
      {problem === null ? null : <ProblemNote problem={problem} />}
    </>
  );
}

/** What can be done at once about a chat whose last turn failed. */
export function FailedBar({ sessionId }: { readonly sessionId: string }) {
  return (
    <Note tone="warn">
      The last turn failed. Say something else below, or send the same again:{" "}
      <TryAgain sessionId={sessionId} />
    </Note>
  );
}

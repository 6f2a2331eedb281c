import type { FrontendName, FrontendPayload } from "@fairlead/contract";
import type { Backend, Frame } from "./backend.ts";
import type { Context } from "./command.ts";
import { connectionNotes } from "./connection-notes.ts";
import { oneLine, printable } from "./text.ts";

/** Neither done nor failed: who runs this in a script must be able to tell. */
const WAITS = 3;

const EXIT: Readonly<Record<string, number>> = { completed: 0, needs_review: WAITS, failed: 1, cancelled: 1 };
const WAITING: ReadonlySet<string> = new Set(["awaiting_approval", "paused"]);

function payloadOf<N extends FrontendName>(frame: Frame, name: N): FrontendPayload<N> | undefined {
  return frame.type === name ? (frame["payload"] as FrontendPayload<N>) : undefined;
}

/** What of a frame a person follows background work by; undefined for the rest. */
function lineOf(frame: Frame): string | undefined {
  const state = payloadOf(frame, "session_state");
  if (state !== undefined) {
    const why = state.last_error ? `: ${state.last_error}` : "";
    return `${state.status}${state.status === "recovering" || state.status === "failed" ? why : ""}`;
  }
  const checkpoint = payloadOf(frame, "session_checkpoint");
  if (checkpoint !== undefined) return `· ${checkpoint.summary_text}`;
  const step = payloadOf(frame, "step_progress");
  if (step?.status === "running") return `· ${step.step_id} …`;
  const question = payloadOf(frame, "approval_required");
  if (question !== undefined) return `? ${question.request_id} ${question.tool_name}: ${question.reason}`;
  return undefined;
}

/** Shows how background work goes until it has ended. The exit code says how. Ctrl-C only looks away. */
export async function followWork(context: Context, backend: Backend, session: string): Promise<number> {
  const { out, signal, host } = context;
  let last = "";
  let output = "";
  for await (const { frame } of backend.follow({
    session,
    after: 0,
    signal,
    onState: connectionNotes(out),
  })) {
    if (out.json) await out.value(frame);
    const line = lineOf(frame);
    if (!out.json && line !== undefined && line !== last) {
      await out.line(oneLine(line, Math.max(40, out.columns)));
      last = line;
    }
    output = payloadOf(frame, "completed")?.output ?? output;
    const status = payloadOf(frame, "session_state")?.status ?? "";
    if (Object.hasOwn(EXIT, status) && !(await goesOn(backend, session))) {
      if (!out.json && output !== "") await out.line(`\n${printable(output)}`);
      return EXIT[status] ?? 1;
    }
    if (WAITING.has(status) && !backend.shared && (await isStill(backend, session, status))) {
      out.note(`It waits, and holds nothing. What for: ${host.self} approvals`);
      return WAITS;
    }
  }
  out.note(`It goes on by itself. See more: ${host.self} sessions follow ${session}`);
  return 0;
}

/** A session that ended once, and was resumed since, has more to show. */
async function goesOn(backend: Backend, session: string): Promise<boolean> {
  return !Object.hasOwn(EXIT, (await backend.getSession(session)).status);
}

async function isStill(backend: Backend, session: string, status: string): Promise<boolean> {
  return (await backend.getSession(session)).status === status;
}

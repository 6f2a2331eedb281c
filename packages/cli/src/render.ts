import type { FrontendName, FrontendPayload } from "@fairlead/contract";
import type { Frame } from "./backend.ts";
import type { Colour, Output } from "./output.ts";
import { oneLine } from "./text.ts";

type Summaries = { readonly [N in FrontendName]?: (payload: FrontendPayload<N>) => string };

/** What matters of a frame, where its JSON would be too much. All others are shown as they are. */
const SUMMARIES: Summaries = {
  session_state: ({ status, model }) => (model ? `${status} (${model})` : status),
  session_checkpoint: ({ checkpoint_type, summary_text }) => `${checkpoint_type}: ${summary_text}`,
  step_progress: ({ step_id, status, title }) =>
    `${step_id} ${status}${title === undefined ? "" : `: ${title}`}`,
  turn_start: ({ input }) => input,
  turn_start_tools: ({ tools }) => (tools.length === 0 ? "no tools" : tools.join(", ")),
  token: ({ text }) => JSON.stringify(text),
  thinking: ({ text }) => JSON.stringify(text),
  response: ({ text }) => text,
  output_superseded: ({ step, attempt }) => `step ${step}, attempt ${attempt}: drop its text`,
  completed: ({ output }) => output,
  error: ({ code, error }) => `${code}: ${error}`,
  turn_end: ({ status, reason }) => (reason === undefined ? status : `${status}: ${reason}`),
  usage: ({ input_tokens, output_tokens }) => `${input_tokens} tokens in, ${output_tokens} out`,
  approval_required: ({ request_id, tool_name, reason }) => `${request_id} ${tool_name}: ${reason}`,
  approval_applied: ({ request_id, decision, actor }) => `${request_id} ${decision} by ${actor}`,
  gap: ({ from_seq, to_seq }) => `events ${from_seq} to ${to_seq} are gone (trimmed)`,
};

const COLOURS: { readonly [N in FrontendName]?: Colour } = {
  error: "red",
  approval_required: "yellow",
  gap: "yellow",
  completed: "green",
};

function summaryOf(frame: Frame): string {
  if ("payload" in frame && Object.hasOwn(SUMMARIES, frame.type)) {
    const summarise = SUMMARIES[frame.type as FrontendName] as (payload: unknown) => string;
    return summarise(frame.payload);
  }
  if ("payload" in frame) return JSON.stringify(frame.payload);
  const {
    type: _type,
    id: _id,
    seq: _seq,
    at: _at,
    requestId: _request,
    sessionId: _session,
    agentId: _agent,
    ...rest
  } = frame;
  return JSON.stringify(rest);
}

const TYPE_WIDTH = 16;
const ID_TAIL = 6;

/** One frame on one line. Of all sessions, the end of the session's id tells them apart. */
export function frameLine(frame: Frame, out: Output, many: boolean): string {
  const session = String("session_id" in frame ? frame.session_id : frame.sessionId);
  const where = many ? `…${session.slice(-ID_TAIL)} ` : "";
  const head = `${where}${String(frame.seq).padStart(5)}  ${frame.at.slice(11, 19)}  `;
  const type = oneLine(frame.type, 40).padEnd(TYPE_WIDTH);
  const summary = oneLine(safely(frame), Math.max(20, out.columns - head.length - type.length - 2));
  const colour = COLOURS[frame.type as FrontendName];
  return `${out.dim(head)}${colour === undefined ? type : out.paint(colour, type)}  ${summary}`;
}

/** A newer server's payload may lack what we look for. */
function safely(frame: Frame): string {
  try {
    return summaryOf(frame) ?? "";
  } catch {
    return JSON.stringify(frame);
  }
}

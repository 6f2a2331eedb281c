import { lineOf, type SessionId } from "@fairlead/contract";
import { is } from "../domain/event.ts";
import type { EventLog } from "../ports/event-log.ts";
import type { BranchPoint } from "./branch-point.ts";

const TEXT_CHARS = 200;
const TITLE_CHARS = 80;

export interface BranchSummary {
  readonly text: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * What a reader of the branch should know of the history before it. Made from events as the log shows them, never from
 * what the loop carries: that has the secrets in it.
 */
export async function summarise(
  log: EventLog,
  session: SessionId,
  title: string | null,
  { event }: BranchPoint,
): Promise<BranchSummary> {
  const last = async (type: string) =>
    (await log.read(session, { before: event.seq + 1, types: [type], limit: 1, history: "full" })).events[0];
  const [started, completed] = [
    await last("runtime.request.started"),
    await last("runtime.request.completed"),
  ];
  const request = started && is(started, "runtime.request.started") ? started.data.input : undefined;
  const answer = completed && is(completed, "runtime.request.completed") ? completed.data.output : undefined;
  const quoted = (text: string) => `“${lineOf(text, TEXT_CHARS)}”`;
  const name = title === null ? event.stream : `“${lineOf(title, TITLE_CHARS)}” (${event.stream})`;
  return {
    text: [
      `Branched from ${name} at event ${event.seq}.`,
      ...(request === undefined ? ["Nothing had been asked."] : [`The last request: ${quoted(request)}.`]),
      ...(answer === undefined ? [] : [`The last answer: ${quoted(answer)}.`]),
    ].join(" "),
    details: {
      source_session_id: event.stream,
      source_event_id: event.id,
      source_event_type: event.type,
      source_seq: event.seq,
      ...(request === undefined ? {} : { last_request: lineOf(request, TEXT_CHARS) }),
      ...(answer === undefined ? {} : { last_answer: lineOf(answer, TEXT_CHARS) }),
    },
  };
}

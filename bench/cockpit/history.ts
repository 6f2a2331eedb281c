import type { NewEvent, SessionId } from "@fairlead/contract";
import type { PageSite } from "../../test/cockpit/support/site.ts";

const WORDS = "the line runs through the ring and nothing fouls it while somebody holds the other end ".split(
  " ",
);

/** One turn of fifty events: a request, thinking, forty pieces of text, a tool, usage, the end. */
function turn(number: number): NewEvent[] {
  const turn_id = `trn_${number}`;
  const tool_call_id = `call_${number}`;
  const of = { tool_call_id, tool_name: "shell" };
  const pieces = Array.from({ length: 40 }, (_, i) => `${WORDS[(number + i) % WORDS.length]} `);
  return [
    { type: "runtime.request.started", data: { turn_id, input: `Request ${number}` } },
    { type: "agent.thinking.delta", data: { text: "What would be best?" } },
    ...pieces.map((text): NewEvent => ({ type: "agent.output.delta", data: { text, step: 1, attempt: 1 } })),
    { type: "agent.output.completed", data: { text: pieces.join(""), step: 1, attempt: 1 } },
    {
      type: "agent.tool.start",
      data: {
        name: "shell",
        arguments: { command: `ls -la ${number}`, _tool_call_id: tool_call_id },
        tool_call_id,
      },
    },
    { type: "agent.tool.batch", data: { wave: 1, tool_call_ids: [tool_call_id] } },
    { type: "agent.tool.result", data: { ...of, result: "total 0\n".repeat(20) } },
    { type: "agent.tool.outcome", data: { ...of, outcome_type: "x", status: "ok", elapsed_ms: 12 } },
    {
      type: "agent.usage",
      data: { input_tokens: 900, output_tokens: 80, total_tokens: 980, cost_usd: 0.001 },
    },
    { type: "runtime.request.completed", data: { turn_id, output: "Done." } },
    { type: "runtime.turn.ended", data: { turn_id, status: "completed" } },
  ];
}

/** A session with at least so many events. */
export async function longSession(site: PageSite, events: number): Promise<SessionId> {
  const session = await site.session(`${events} events`);
  let written = 1;
  for (let number = 1; written < events;) {
    const batch: NewEvent[] = [];
    while (batch.length < 1_000 && written + batch.length < events) batch.push(...turn(number++));
    await site.append(session, batch);
    written += batch.length;
  }
  return session;
}

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Channel, channelOf, streamEvents, type Told } from "../src/index.ts";

const event = (seq: number, type: string, payload: unknown): Told => ({
  id: `evt_${seq}`,
  seq,
  at: "2026-01-01T00:00:00.000Z",
  type,
  payload,
  session_id: "ses_1",
});
const of = (events: readonly Told[]) => channelOf({ session_id: "ses_1", agent: "fairlead", events });

describe("the channel of a session", () => {
  test("has the runtime and the agent, also of a session without events", () => {
    expect(of([])).toEqual({
      channel_id: "session:ses_1",
      participants: [
        { participant_id: "runtime", kind: "runtime", name: "Runtime" },
        { participant_id: "agent", kind: "agent", name: "fairlead" },
      ],
      envelopes: [],
    });
  });

  test("routes approvals through the operator, and names who decided", () => {
    const asked = { request_id: "apr_123", tool_name: "write_file", reason: "It writes." };
    const { participants, envelopes } = of([
      event(1, "approval_required", asked),
      event(2, "approval_applied", { ...asked, decision: "approved", actor: "ada" }),
      event(3, "approval_required", asked),
      event(4, "approval_applied", { ...asked, decision: "expired", actor: "fairlead" }),
    ]);
    expect(envelopes.map(({ sender_id, recipient_ids }) => [sender_id, recipient_ids])).toEqual([
      ["agent", ["operator"]],
      ["operator", ["agent"]],
      ["agent", ["operator"]],
      ["runtime", ["operator", "agent"]],
    ]);
    expect(envelopes[0]).toEqual({
      event_id: "evt_1",
      seq: 1,
      at: "2026-01-01T00:00:00.000Z",
      sender_id: "agent",
      recipient_ids: ["operator"],
      event_type: "approval_required",
      summary: "write_file: It writes.",
      payload: asked,
    });
    expect(participants.at(-1)).toEqual({
      participant_id: "operator",
      kind: "operator",
      name: "Operator",
      actors: ["ada"],
    });
  });

  test("has a participant for each tool and sub-agent that was seen, in the order in which they were", () => {
    const { participants, envelopes } = of([
      event(1, "turn_start", { turn_id: "t", input: "Go" }),
      event(2, "tool_call", { name: "grep", arguments: {}, tool_call_id: "c1" }),
      event(3, "tool_outcome", { tool_name: "grep", tool_call_id: "c1", status: "ok" }),
      event(4, "tool_call", { name: "operator", arguments: {}, tool_call_id: "c2" }),
      event(5, "subagent_event", { agent_id: "sub_1", status: "started" }),
      event(6, "response", { text: "Done." }),
    ]);
    expect(participants.map(({ participant_id }) => participant_id)).toEqual([
      "runtime",
      "agent",
      "operator",
      "tool:grep",
      "tool:operator",
      "subagent:sub_1",
    ]);
    expect(envelopes.map(({ sender_id }) => sender_id)).toEqual([
      "operator",
      "agent",
      "tool:grep",
      "agent",
      "subagent:sub_1",
      "agent",
    ]);
    expect(envelopes[2]).toMatchObject({ recipient_ids: ["agent"], summary: "grep: ok" });
  });

  test("takes every name of the face and of newer writers, with any payload, and gives the same each time", () => {
    const names = fc.oneof(
      fc.constantFrom(...streamEvents().map(({ name }): string => name)),
      fc.constantFrom("runtime.newer.thing", "agent.newer.thing", "__proto__", "toString"),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(names, fc.jsonValue())), (some) => {
        const events = some.map(([type, payload], i) => event(i + 1, type, payload));
        const channel = of(events);
        expect(Channel.safeParse(channel).error).toBeUndefined();
        expect(JSON.stringify(of(events))).toBe(JSON.stringify(channel));
        const known = new Set(channel.participants.map(({ participant_id }) => participant_id));
        expect(known.size).toBe(channel.participants.length);
        for (const { sender_id, recipient_ids, summary } of channel.envelopes) {
          for (const id of [sender_id, ...recipient_ids]) expect(known).toContain(id);
          expect(Array.from(summary).length).toBeLessThanOrEqual(200);
        }
      }),
    );
  });
});

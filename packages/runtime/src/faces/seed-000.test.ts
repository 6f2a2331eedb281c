import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { AnyEvent, EventType } from "@fairlead/contract";
import { EVENT_TYPES, EVENTS } from "@fairlead/contract";
import { frontendFrame } from "./frontend.ts";

// Every JSON example of seed 000, as it stands there, is what the frontend face sends.

interface Example {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

const FOLDER = new URL("../../../contract/fixtures/seed-000/", import.meta.url);

const EXAMPLES = readdirSync(FOLDER).map(
  (file) => JSON.parse(readFileSync(new URL(file, FOLDER), "utf8")) as Example,
);

/** What the log says beyond the example, in a way the face leaves out. */
const ONLY_IN_LOG: Record<string, object> = {
  approval_required: { kind: "approval" },
  approval_applied: { kind: "approval" },
};

/** What the face adds to the example. Seed 000's payloads are additive. */
const ADDED: Record<string, object> = {
  approval_applied: { decision: "approved", actor: "ada", decided_at: "2026-04-21T10:00:00.000Z" },
};

function storedEvent(type: EventType, data: unknown): AnyEvent {
  return {
    id: "evt_01",
    seq: 7,
    stream: "ses_01",
    at: "2026-04-21T10:00:00.000Z",
    type,
    v: 1,
    turn_id: "trn_01",
    agent_id: null,
    cause: null,
    owner: EVENTS[type].owner,
    data,
  } as AnyEvent;
}

describe("seed 000's examples", () => {
  test("are all here", () => {
    expect(EXAMPLES.map((example) => example.type).toSorted()).toEqual([
      "approval_applied",
      "approval_required",
      "context_compacted",
      "policy_decision",
      "sandbox_notice",
      "session_checkpoint",
      "subagent_event",
      "tool_call",
      "tool_outcome",
      "transport_diagnostic",
    ]);
  });

  test.each(EXAMPLES)("$type comes out with the same keys, types and values", ({ type, payload }) => {
    const logType = EVENT_TYPES.find((candidate) => EVENTS[candidate].faces.frontend === type);
    if (logType === undefined) throw new Error(`no event is named ${type}`);
    const data = { ...payload, ...ADDED[type], ...ONLY_IN_LOG[type] };
    expect(EVENTS[logType].data.safeParse(data).error).toBeUndefined();
    expect(frontendFrame(storedEvent(logType, data))).toStrictEqual({
      type,
      payload: { ...payload, ...ADDED[type] },
      id: "evt_01",
      seq: 7,
      session_id: "ses_01",
      at: "2026-04-21T10:00:00.000Z",
      tier: EVENTS[logType].tier,
    });
  });
});

describe("payloads that the face spells otherwise", () => {
  test.each(["user_input", "tool_call"])("a question of kind %s says so", (kind) => {
    const data = { request_id: "apr_1", kind, tool_name: "ask", reason: "Which one?" };
    expect(frontendFrame(storedEvent("runtime.question.asked", data))?.payload).toEqual(data);
  });

  test.each([
    [{ turn_id: "trn_1", reason: "Enough." }, "Enough."],
    [{ turn_id: "trn_1" }, "The turn was cancelled."],
  ])("a cancelled turn %j is an error with its own code", (data, error) => {
    const frame = frontendFrame(storedEvent("runtime.request.cancelled", data));
    expect(frame?.type).toBe("error");
    expect(frame?.payload).toStrictEqual({ turn_id: "trn_1", error, code: "cancelled" });
  });

  test("all other payloads are the data itself", () => {
    const data = { text: "Hello" };
    expect(frontendFrame(storedEvent("agent.output.delta", data))?.payload).toBe(data);
  });
});

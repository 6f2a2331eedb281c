import { describe, expect, it } from "vitest";

import { BAD_DECISIONS, DECISIONS } from "../src/conformance/samples/decisions.ts";
import { eventOf } from "../src/conformance/samples/messages.ts";
import { BROKEN, FULL, MINIMAL } from "../src/conformance/samples/payloads.ts";
import type { BlockingType, EventType } from "../src/index.ts";
import {
  actionOf,
  AHP_ERRORS,
  AHP_EVENTS,
  AhpError,
  AhpEvent,
  EVENT_TYPES,
  FAIL_CLOSED,
  isCompatible,
  jsonSchemas,
  RunLifecyclePayload,
  toRpcError,
} from "../src/index.ts";

const payloadOf = (type: EventType) => AHP_EVENTS[type].payload;

describe("payloads", () => {
  it.each(EVENT_TYPES)("%s takes its full and its minimal payload", (type) => {
    const schema = payloadOf(type);
    if (schema === null) return;
    expect(schema.parse(FULL[type])).toMatchObject(FULL[type] as object);
    expect(schema.parse(MINIMAL[type])).toMatchObject(MINIMAL[type] as object);
  });

  it.each(Object.keys(BROKEN) as (keyof typeof BROKEN)[])("%s refuses a broken one", (type) => {
    expect(payloadOf(type)?.safeParse(BROKEN[type]).success).toBe(false);
  });

  it("reads null in an optional field as unset, and writes it as nothing", () => {
    const read = RunLifecyclePayload.parse({
      ...(MINIMAL.run_lifecycle as object),
      error: null,
      metadata: null,
    });
    expect(read.error).toBeUndefined();
    expect(JSON.stringify(read)).not.toContain("null");
  });

  it("refuses null where a field is required", () => {
    const given = { ...(MINIMAL.run_lifecycle as object), status: null };
    expect(RunLifecyclePayload.safeParse(given).success).toBe(false);
  });
});

describe("decisions", () => {
  it.each(Object.keys(DECISIONS) as BlockingType[])("%s takes every variant", (type) => {
    for (const decision of Object.values(DECISIONS[type])) {
      expect(AHP_EVENTS[type].decision.parse(decision)).toEqual(decision);
    }
  });

  it.each(Object.keys(BAD_DECISIONS) as BlockingType[])("%s refuses another's", (type) => {
    expect(AHP_EVENTS[type].decision.safeParse(BAD_DECISIONS[type]).success).toBe(false);
  });

  it.each(Object.keys(FAIL_CLOSED) as BlockingType[])("%s has a refusal that is valid", (type) => {
    const refusal = FAIL_CLOSED[type]("nobody answered");
    expect(AHP_EVENTS[type].decision.parse(refusal)).toEqual(refusal);
    expect(["block", "defer", "skip", "reject"]).toContain(refusal.decision);
  });
});

describe("the event table", () => {
  it("is that of the protocol", () => {
    const shown = EVENT_TYPES.map((type) => {
      const { blocking, batchable, contract } = AHP_EVENTS[type];
      return [type, blocking && "blocking", batchable && "batchable", contract && "contract"]
        .filter(Boolean)
        .join(" ");
    });
    expect(shown).toMatchInlineSnapshot(`
      [
        "pre_action blocking batchable",
        "post_action batchable",
        "pre_prompt blocking batchable",
        "post_response batchable",
        "session_start batchable",
        "session_end batchable",
        "error batchable",
        "heartbeat batchable",
        "success batchable",
        "idle blocking",
        "intent_detection blocking",
        "context_perception blocking",
        "memory_recall blocking",
        "planning blocking",
        "reasoning blocking",
        "rate_limit blocking",
        "confirmation blocking",
        "run_lifecycle batchable contract",
        "task_list batchable contract",
        "verification batchable contract",
      ]
    `);
  });

  it("gives a decision to exactly the blocking types", () => {
    for (const type of EVENT_TYPES) {
      expect(AHP_EVENTS[type].decision !== null).toBe(AHP_EVENTS[type].blocking);
    }
  });

  it("keeps an event's free payload as it came", () => {
    const payload = { a: null, b: [{ c: undefined }], __proto__: { d: 1 } };
    expect(AhpEvent.parse(eventOf("pre_action", { payload })).payload).toBe(payload);
  });
});

describe("versions", () => {
  it.each(["2", "2.0", "2.4", "2.4.1", "2.99"])("%s is compatible", (version) => {
    expect(isCompatible(version)).toBe(true);
  });
  it.each(["1.4", "3", "20.4", "", "v2.4", "2x", " 2.4"])("%s is not", (version) => {
    expect(isCompatible(version)).toBe(false);
  });
});

describe("errors", () => {
  it("become wire errors by the table", () => {
    const error = toRpcError(new AhpError("not_batchable", "no"));
    expect(error).toEqual({ code: -32602, message: "no", data: { code: "not_batchable" } });
  });

  it("have one of the protocol's codes each", () => {
    const codes = new Set(Object.values(AHP_ERRORS).map(({ rpc }) => rpc));
    expect([...codes].toSorted((a, b) => a - b)).toEqual([-32700, -32603, -32602, -32601, -32600, -32000]);
  });
});

describe("JSON Schema", () => {
  it("is derived for every payload, decision, method and message", () => {
    const schemas = jsonSchemas();
    const typed = EVENT_TYPES.filter((type) => AHP_EVENTS[type].payload !== null);
    const blocking = EVENT_TYPES.filter((type) => AHP_EVENTS[type].blocking);
    expect(Object.keys(schemas.payloads)).toEqual(typed);
    expect(Object.keys(schemas.decisions)).toEqual(blocking);
    expect(Object.keys(schemas.methods)).toEqual(["ahp/handshake", "ahp/event", "ahp/query", "ahp/batch"]);
    expect(schemas.event["required"]).toEqual([
      "event_type",
      "session_id",
      "agent_id",
      "timestamp",
      "depth",
      "payload",
    ]);
  });

  it("describes what a writer may write: an optional field is absent, not null", () => {
    const idle = jsonSchemas().payloads["idle"] as {
      required: string[];
      properties: Record<string, unknown>;
    };
    expect(idle.required).toEqual(["idle_duration_ms", "idle_reason"]);
    expect(idle.properties["last_event_type"]).toEqual({ type: "string" });
  });
});

describe("actionOf", () => {
  it("reads what pre_action says by convention, and nothing from what says otherwise", () => {
    expect(actionOf({ tool_name: "ls", arguments: { a: 1 } })).toEqual({
      toolName: "ls",
      arguments: { a: 1 },
    });
    for (const odd of [null, 3, "x", [], { tool_name: 3, arguments: "y" }]) {
      expect(actionOf(odd)).toEqual({ toolName: undefined, arguments: {} });
    }
  });
});

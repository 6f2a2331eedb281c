import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AnyEvent, EventType } from "@fairlead/contract";
import { EVENT_TYPES, EVENTS } from "@fairlead/contract";
import { arbitraryEvent } from "@fairlead/contract/testing";
import { runtimeFrame } from "./runtime.ts";

// Seed 003's tables as data: each event with its required and optional fields beside requestId, sessionId, agentId.

type Fields = readonly [required: string, optional: string, added?: string];

const FACTS: Partial<Record<EventType, Fields>> = {
  "runtime.request.started": ["", "", "input actor attempt inputId"],
  "runtime.request.completed": ["output", ""],
  "runtime.request.failed": ["error", "", "code"],
  "runtime.request.cancelled": ["", "reason"],
  "runtime.execution.contract.failed": ["reason", "missingEvidenceTools"],
  "runtime.tool.direct.started": ["toolId", "", "toolCallId effect arguments until holder"],
  "runtime.tool.direct.completed": ["toolId output", ""],
  "runtime.workflow.started": ["workflowId adapter", ""],
  "runtime.workflow.completed": ["workflowId adapter", ""],
  "runtime.artifact.created": ["artifact", ""],
  "runtime.specDriven.phase.started": ["phaseId", "workflowId"],
  "runtime.specDriven.phase.blocked": ["phaseId reason", "workflowId"],
  "runtime.specDriven.phase.completed": ["phaseId", "workflowId artifact"],
  "runtime.specDriven.phase.verified": ["phaseId", "workflowId artifact"],
  "runtime.skill.candidate.created": ["candidateId name confidence evidenceCount status", "proposedPath"],
  "runtime.memory.lifecycle": ["hook", ""],
  "runtime.memory.recall.completed": ["namespace recordIds context", ""],
  "runtime.memory.candidate.submitted": ["candidate decision", "record"],
  "runtime.memory.approval.requested": ["approval", ""],
  "runtime.memory.plugin.started": ["memoryId provider namespace", ""],
  "runtime.memory.plugin.completed": ["memoryId provider namespace candidateCount", ""],
  "runtime.memory.plugin.failed": ["memoryId provider namespace error", ""],
  "runtime.memory.maintenance.started": ["target", ""],
  "runtime.memory.maintenance.completed": ["target operationCount", ""],
  "runtime.memory.maintenance.failed": ["target error", ""],
  "runtime.adapter.event": ["event", ""],
  "runtime.progress.narration": ["message provider sourceEventTypes", "sourceEventIds model style"],
};

/** Signals, by the fields inside the envelope's `event`. Foreign executors may say more. */
const SIGNALS: Partial<Record<EventType, Fields>> = {
  "agent.handoff": ["adapter phase", "modelRef tools subagents"],
  "agent.output.delta": ["adapter phase text", ""],
  "agent.tool.start": ["adapter phase toolId args", ""],
  "agent.tool.result": ["adapter phase toolId", "output error"],
  "agent.langgraph.invoke": ["adapter phase workflowId", ""],
  "agent.node.completed": ["adapter phase workflowId nodeId", ""],
};

/** Events that seed 003 does not have and its face shows all the same. */
const ADDED_EVENTS: readonly EventType[] = ["agent.output.superseded", "runtime.log.gap"];

const COMMON = ["type", "requestId", "sessionId", "agentId"];
const PLACE = ["id", "seq", "at"];

const words = (text = "") => text.split(" ").filter((word) => word !== "");
const typesOf = (table: object) => Object.keys(table) as EventType[];

/** The optional fields that the schema knows, by generating events until each was seen. */
function fieldsSeen(type: EventType, pick: (frame: Record<string, unknown>) => object): Set<string> {
  const seen = new Set<string>();
  for (const event of fc.sample(arbitraryEvent([type]), { numRuns: 100, seed: 3 })) {
    for (const key of Object.keys(pick(runtimeFrame(event) ?? {}))) seen.add(key);
  }
  return seen;
}

describe("seed 003's events", () => {
  test("are all on its face, and nothing else but our additions", () => {
    const named = EVENT_TYPES.filter((type) => EVENTS[type].faces.runtime !== null);
    expect(named.toSorted()).toEqual([...typesOf(FACTS), ...typesOf(SIGNALS), ...ADDED_EVENTS].toSorted());
  });

  test.each(typesOf(FACTS))("%s has its required fields always, and no field it should not have", (type) => {
    const [required, optional, added] = FACTS[type] ?? ["", ""];
    const must = [...COMMON, ...words(required)];
    const may = [...must, ...PLACE, ...words(optional), ...words(added)];
    fc.assert(
      fc.property(arbitraryEvent([type]), (event) => {
        const frame = runtimeFrame(event);
        expect(frame).toMatchObject({ type });
        expect(Object.keys(frame ?? {})).toEqual(expect.arrayContaining(must));
        expect(may).toEqual(expect.arrayContaining(Object.keys(frame ?? {})));
      }),
      { numRuns: 30 },
    );
    const seen = fieldsSeen(type, (frame) => frame);
    expect([...seen]).toEqual(expect.arrayContaining(words(optional)));
  });

  test.each(typesOf(SIGNALS))("%s goes into the envelope, with its fields inside", (type) => {
    const [required, optional] = SIGNALS[type] ?? ["", ""];
    fc.assert(
      fc.property(arbitraryEvent([type]), (event) => {
        const frame = runtimeFrame(event);
        expect(Object.keys(frame ?? {}).toSorted()).toEqual([...COMMON, ...PLACE, "event"].toSorted());
        expect(frame?.type).toBe("runtime.adapter.event");
        expect(frame?.event).toMatchObject({ phase: type });
        expect(Object.keys(frame?.event as object)).toEqual(expect.arrayContaining(words(required)));
      }),
      { numRuns: 30 },
    );
    const seen = fieldsSeen(type, (frame) => frame.event as object);
    expect([...seen]).toEqual(expect.arrayContaining(words(optional)));
  });
});

function storedEvent(type: string, data: unknown, more: object = {}): AnyEvent {
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
    owner: "runtime",
    data,
    ...more,
  } as AnyEvent;
}

const PLACED = { id: "evt_01", seq: 7, at: "2026-04-21T10:00:00.000Z" };
const FROM = { requestId: "trn_01", sessionId: "ses_01", agentId: "fairlead", ...PLACED };

describe("frames of the runtime face", () => {
  test("a fact, with the turn as its request", () => {
    const event = storedEvent("runtime.request.completed", { turn_id: "trn_01", output: "Done." });
    expect(runtimeFrame(event)).toStrictEqual({
      type: "runtime.request.completed",
      ...FROM,
      output: "Done.",
    });
  });

  test("an agent's tool call, in seed 003's words", () => {
    const data = { name: "search", arguments: { deep_key: 1 }, tool_call_id: "call-1" };
    const event = storedEvent("agent.tool.start", data, { agent_id: "scout" });
    expect(runtimeFrame(event)).toStrictEqual({
      type: "runtime.adapter.event",
      ...FROM,
      agentId: "scout",
      event: {
        adapter: "fairlead",
        phase: "agent.tool.start",
        toolId: "search",
        args: { deep_key: 1 },
        toolCallId: "call-1",
      },
    });
  });

  test("a foreign executor's own fields, its adapter among them", () => {
    const data = { text: "Hi", adapter: "deepagents", trace_type: "plan", phase: "mine" };
    expect(runtimeFrame(storedEvent("agent.output.delta", data))?.event).toStrictEqual({
      adapter: "deepagents",
      phase: "agent.output.delta",
      text: "Hi",
      traceType: "plan",
    });
  });

  test("a foreign payload whose phase is not in the catalogue, as it came", () => {
    const event = { adapter: "x", phase: "x.y_z", some_field: 1 };
    expect(runtimeFrame(storedEvent("runtime.adapter.event", { event }))?.event).toEqual(event);
  });

  test("an event outside of turns is its own request", () => {
    const event = storedEvent("runtime.memory.maintenance.started", { target: "notes" }, { turn_id: null });
    expect(runtimeFrame(event)?.requestId).toBe("evt_01");
  });

  test("a gap", () => {
    const data = { from_seq: 1, to_seq: 6, reason: "trimmed" };
    expect(runtimeFrame(storedEvent("runtime.log.gap", data))).toMatchObject({
      type: "runtime.log.gap",
      fromSeq: 1,
      toSeq: 6,
    });
  });

  test("a foreign field cannot take the envelope's place or the prototype's", () => {
    const data = JSON.parse('{"text":"x","__proto__":{"polluted":1}}') as object;
    const frame = runtimeFrame(storedEvent("agent.output.delta", data));
    expect(Object.getPrototypeOf(frame?.event)).toBe(Object.prototype);
    expect(JSON.stringify(frame)).toContain('"__proto__":{"polluted":1}');
    const newer = { turn_id: "t", output: "o", seq: 99, session_id: "other", type: "x" };
    expect(runtimeFrame(storedEvent("runtime.request.completed", newer))).toMatchObject({
      ...FROM,
      type: "runtime.request.completed",
    });
  });
});

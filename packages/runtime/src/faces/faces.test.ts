import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AnyEvent, BlobRef, EventType, FaceName } from "@fairlead/contract";
import { EVENT_TYPES, EVENTS, FACE_NAMES, streamEvents } from "@fairlead/contract";
import { arbitraryEvent, arbitraryRawEvent } from "@fairlead/contract/testing";
import { FACES } from "./index.ts";

/** The design's table: the log's type, seed 000's name, and whether seed 003 has it. */
const TABLE: readonly [type: EventType, frontend: string | null, runtime: boolean][] = [
  ["runtime.session.created", "session", false],
  ["runtime.session.state", "session_state", false],
  ["runtime.session.checkpoint", "session_checkpoint", false],
  ["runtime.request.started", "turn_start", true],
  ["runtime.request.tools", "turn_start_tools", false],
  ["runtime.request.completed", "completed", true],
  ["runtime.request.failed", "error", true],
  ["runtime.request.cancelled", "error", true],
  ["runtime.turn.ended", "turn_end", false],
  ["runtime.turn.cancelling", null, false],
  ["runtime.turn.resumed", null, false],
  ["runtime.input.queued", "input_queued", false],
  ["runtime.input.taken", "input_taken", false],
  ["runtime.grant.revoked", null, false],
  ["runtime.session.configured", null, false],
  ["runtime.session.snapshot", null, false],
  ["runtime.session.seen", "session_seen", false],
  ["runtime.effect.verdict", "effect_verdict", false],
  ["runtime.context.injected", null, false],
  ["agent.output.delta", "token", true],
  ["agent.output.completed", "response", false],
  ["agent.output.superseded", "output_superseded", true],
  ["agent.thinking.delta", "thinking", false],
  ["agent.reflection", "reflection", false],
  ["agent.tool.start", "tool_call", true],
  ["agent.tool.result", "tool_result", true],
  ["agent.tool.outcome", "tool_outcome", false],
  ["agent.tool.batch", "tool_batch", false],
  ["agent.tool.selected", "tool_selected", false],
  ["agent.tool.invalid", "tool_validation_error", false],
  ["agent.context.warning", "context_warning", false],
  ["agent.context.compacted", "context_compacted", false],
  ["agent.step.progress", "step_progress", false],
  ["agent.usage", "usage", false],
  ["runtime.policy.decision", "policy_decision", false],
  ["runtime.hook.event", "hook_event", false],
  ["runtime.sandbox.notice", "sandbox_notice", false],
  ["runtime.transport.diagnostic", "transport_diagnostic", false],
  ["runtime.subagent.event", "subagent_event", false],
  ["runtime.retrieval.completed", "retrieval", false],
  ["runtime.cognition.summary", "antahkarana", false],
  ["runtime.question.asked", "approval_required", false],
  ["runtime.question.decided", "approval_applied", false],
  ["runtime.health.snapshot", "health_snapshot", false],
  ["runtime.session.pausing", "session_pausing", false],
  ["runtime.session.resuming", "session_resuming", false],
  ["runtime.session.accepted", null, false],
  ["runtime.hook.trusted", null, false],
  ["runtime.hook.untrusted", null, false],
  ["runtime.budget.reserved", null, false],
  ["runtime.budget.held", null, false],
  ["runtime.budget.spent", null, false],
  ["runtime.tool.direct.started", null, true],
  ["runtime.tool.direct.completed", null, true],
  ["runtime.tool.direct.holder", null, false],
  ["runtime.workflow.started", null, true],
  ["runtime.workflow.completed", null, true],
  ["runtime.artifact.created", null, true],
  ["runtime.memory.lifecycle", null, true],
  ["runtime.memory.recall.completed", null, true],
  ["runtime.memory.candidate.submitted", null, true],
  ["runtime.memory.approval.requested", null, true],
  ["runtime.memory.plugin.started", null, true],
  ["runtime.memory.plugin.completed", null, true],
  ["runtime.memory.plugin.failed", null, true],
  ["runtime.memory.maintenance.started", null, true],
  ["runtime.memory.maintenance.completed", null, true],
  ["runtime.memory.maintenance.failed", null, true],
  ["runtime.specDriven.phase.started", null, true],
  ["runtime.specDriven.phase.blocked", null, true],
  ["runtime.specDriven.phase.completed", null, true],
  ["runtime.specDriven.phase.verified", null, true],
  ["runtime.skill.candidate.created", null, true],
  ["runtime.execution.contract.failed", null, true],
  ["runtime.progress.narration", null, true],
  ["runtime.adapter.event", null, true],
  ["agent.handoff", null, true],
  ["agent.langgraph.invoke", null, true],
  ["agent.node.completed", null, true],
  ["runtime.run.lifecycle", null, false],
  ["runtime.task.list", "task_list", false],
  ["runtime.verification.reported", "verification", false],
  ["agent.heartbeat", null, false],
  ["runtime.supervision.asked", null, false],
  ["runtime.supervision.answered", null, false],
  ["runtime.supervision.held", null, false],
  ["runtime.job.queued", null, false],
  ["runtime.job.started", null, false],
  ["runtime.job.progress", null, false],
  ["runtime.job.completed", null, false],
  ["runtime.job.failed", null, false],
  ["runtime.job.canceled", null, false],
  ["runtime.transcript.upserted", null, false],
  ["runtime.session.purged", null, false],
  ["runtime.token.created", null, false],
  ["runtime.token.revoked", null, false],
  ["runtime.log.gap", "gap", true],
];

const FACE_LIST = FACE_NAMES.map((name): [FaceName, (typeof FACES)[FaceName]] => [name, FACES[name]]);
const anyEvent: fc.Arbitrary<AnyEvent> = fc.oneof(
  { weight: 4, arbitrary: arbitraryEvent() },
  { weight: 1, arbitrary: arbitraryRawEvent() },
);

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const key of Reflect.ownKeys(value)) deepFreeze((value as Record<PropertyKey, unknown>)[key]);
  return Object.freeze(value);
}

describe("names", () => {
  test("the table covers the catalogue", () => {
    expect(TABLE.map(([type]) => type).toSorted()).toEqual(EVENT_TYPES.toSorted());
  });

  test.each(TABLE)("%s is %j to the frontend, and on seed 003's face: %j", (type, frontend, runtime) => {
    const [event] = fc.sample(arbitraryEvent([type]), 1);
    if (event === undefined) throw new Error("no sample");
    expect(FACES.frontend(event)?.type ?? null).toBe(frontend);
    const envelope = type.startsWith("agent.") ? "runtime.adapter.event" : type;
    expect(FACES.runtime(event)?.type ?? null).toBe(runtime ? envelope : null);
  });

  test("the frontend face emits exactly what /stream-events lists", () => {
    const emitted = new Set(
      fc
        .sample(arbitraryEvent(), { numRuns: 3000, seed: 1 })
        .flatMap((event) => FACES.frontend(event)?.type ?? []),
    );
    expect(emitted).toEqual(new Set(streamEvents().map((listed) => listed.name)));
  });
});

describe.each(FACE_LIST)("the %s face", (name, face) => {
  test("is total: null exactly where the catalogue says so, one frame elsewhere", () => {
    fc.assert(
      fc.property(arbitraryEvent(), (event) => {
        const frame = face(event);
        expect(frame === null).toBe(EVENTS[event.type].faces[name] === null);
        expect(Array.isArray(frame)).toBe(false);
      }),
    );
  });

  test("keeps the event's place in the log", () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const frame = face(event);
        if (frame !== null) expect(frame).toMatchObject({ id: event.id, seq: event.seq, at: event.at });
      }),
    );
  });

  test("is pure: the same event gives the same frame, and stays as it is", () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const before = JSON.stringify(event);
        deepFreeze(event);
        expect(face(event)).toEqual(face(event));
        expect(JSON.stringify(event)).toBe(before);
      }),
    );
  });

  test("makes frames that JSON keeps whole", () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const frame = face(event);
        expect(JSON.parse(JSON.stringify(frame))).toEqual(frame);
      }),
    );
  });

  test("carries a type it does not know, raw", () => {
    fc.assert(
      fc.property(arbitraryRawEvent(), (event) => {
        const frame = face(event);
        expect(JSON.stringify(frame)).toContain(JSON.stringify(event.data));
        expect(JSON.stringify(frame)).toContain(JSON.stringify(event.type));
      }),
    );
  });

  test.each([null, "text", 7, [], {}, undefined])("shows a known type with data %j all the same", (data) => {
    for (const type of EVENT_TYPES) {
      const event = { ...BARE, type, data } as unknown as AnyEvent;
      expect(face(event) === null).toBe(EVENTS[type].faces[name] === null);
    }
  });

  test.each(["toString", "__proto__", "constructor", ""])("takes no type %j for its own", (type) => {
    expect(face({ ...BARE, type, data: { a: 1 } } as unknown as AnyEvent)).toMatchObject({
      type,
    });
  });
});

const BARE = {
  id: "evt_1",
  seq: 1,
  stream: "ses_1",
  at: "2026-01-01T00:00:00.000Z",
  v: 1,
  turn_id: null,
  agent_id: null,
  cause: null,
  owner: "runtime",
};
const REF: BlobRef = { sha256: "00", bytes: 40_000 };

function withBlobs(type: string, data: object, pointer: string): AnyEvent {
  return { ...BARE, type, data, blobs: { [pointer]: REF } } as unknown as AnyEvent;
}

describe("pointers to large parts", () => {
  const start = { name: "x", arguments: { a: "" }, tool_call_id: "c" };

  test("stay as they are where the payload is the data", () => {
    const event = withBlobs("agent.tool.start", start, "/arguments/a");
    expect(FACES.frontend(event)?.blobs).toEqual({ "/arguments/a": REF });
  });

  test.each<[FaceName, string, object, string, string]>([
    ["runtime", "agent.tool.start", start, "/arguments/a", "/event/args/a"],
    ["runtime", "agent.tool.start", start, "", "/event"],
    ["runtime", "agent.output.delta", { text: "", "a/b_c": "" }, "/a~1b_c/0", "/event/a~1bC/0"],
    ["runtime", "runtime.request.completed", { turn_id: "t", output: "" }, "/output", "/output"],
    ["runtime", "runtime.future.thing", { some_text: "" }, "/some_text", "/data/some_text"],
    ["runtime", "agent.future.thing", { some_text: "" }, "/some_text", "/event/data/some_text"],
    ["frontend", "runtime.request.cancelled", { turn_id: "t", reason: "" }, "/reason", "/error"],
    ["frontend", "runtime.future.thing", { some_text: "" }, "/some_text", "/some_text"],
  ])("on the %s face, of %s %j, move from %j to %j", (name, type, data, from, to) => {
    expect(FACES[name](withBlobs(type, data, from))?.blobs).toEqual({ [to]: REF });
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EventType, FrontendName } from "../src/index.ts";
import { EVENT_TYPES, EVENTS, isEventType, ownerOf, streamEvents, TIERS, tierOf } from "../src/index.ts";
import { arbitraryData } from "./arbitrary.ts";

/** Seed 000's inventory: name, stored or not, tier. */
const SEED_000: Record<string, [persisted: boolean, tier: "default" | "debug"]> = {
  session: [false, "default"],
  session_state: [true, "default"],
  session_checkpoint: [true, "default"],
  policy_decision: [true, "debug"],
  hook_event: [true, "debug"],
  sandbox_notice: [true, "debug"],
  transport_diagnostic: [true, "debug"],
  subagent_event: [true, "debug"],
  turn_start: [true, "debug"],
  turn_start_tools: [true, "debug"],
  token: [true, "default"],
  response: [true, "default"],
  thinking: [true, "default"],
  reflection: [true, "default"],
  tool_call: [true, "default"],
  tool_result: [true, "default"],
  tool_outcome: [true, "default"],
  tool_batch: [true, "debug"],
  tool_selected: [true, "debug"],
  tool_validation_error: [true, "debug"],
  context_warning: [true, "default"],
  context_compacted: [true, "default"],
  step_progress: [true, "default"],
  usage: [true, "debug"],
  retrieval: [true, "default"],
  antahkarana: [true, "default"],
  approval_required: [true, "default"],
  approval_applied: [true, "default"],
  turn_end: [true, "default"],
  completed: [true, "default"],
  error: [true, "default"],
  health_snapshot: [true, "default"],
};

/** Names that seed 000 does not have and a client of ours gets. */
const ADDED: Readonly<Record<string, readonly [boolean, string]>> = {
  effect_verdict: [true, "default"],
  gap: [false, "default"],
  input_queued: [true, "default"],
  input_taken: [true, "debug"],
  output_superseded: [true, "default"],
  session_pausing: [true, "debug"],
  session_resuming: [true, "debug"],
  session_seen: [true, "debug"],
  task_list: [true, "default"],
  verification: [true, "default"],
};

/** The data of these stays open, each for its own reason (see its entry). All other facts are closed. */
const OPEN_FACTS: readonly EventType[] = [
  "runtime.session.state",
  "runtime.health.snapshot",
  "runtime.run.lifecycle",
  "runtime.task.list",
  "runtime.verification.reported",
];

describe("the catalogue", () => {
  test.each(EVENT_TYPES)("%s is declared whole", (type) => {
    const def = EVENTS[type];
    expect(type).toMatch(/^(runtime|agent)(\.[a-z][A-Za-z]*)+$/);
    expect(def.v).toBeGreaterThanOrEqual(1);
    expect(TIERS).toContain(def.tier);
    expect(def.doc).toMatch(/^[A-Z][\s\S]*\.$/);
    const owners = type.startsWith("agent.") ? ["agent"] : ["runtime", "view"];
    expect(owners).toContain(def.owner);
    expect(def.category === "view").toBe(def.owner === "view");
  });

  test.each(EVENT_TYPES)("%s is named by its own type on seed 003's face, or not at all", (type) => {
    expect([type, null]).toContain(EVENTS[type].faces.runtime);
  });

  test("has seed 000's names with its tiers and persistence, and only the additions we list", () => {
    const listed = Object.fromEntries(streamEvents().map((e) => [e.name, [e.persisted, e.tier]]));
    expect(listed).toEqual({ ...SEED_000, ...ADDED });
    expect(Object.keys(ADDED).filter((name) => name in SEED_000)).toEqual([]);
  });

  test("says each name once, with every type behind it", () => {
    const all = streamEvents();
    expect(new Set(all.map((e) => e.name)).size).toBe(all.length);
    expect(all.flatMap((e) => e.types).toSorted()).toEqual(
      EVENT_TYPES.filter((type) => EVENTS[type].faces.frontend !== null).toSorted(),
    );
    expect(all.find((e) => e.name === "error")?.types).toEqual([
      "runtime.request.failed",
      "runtime.request.cancelled",
    ]);
  });

  test("gives a UI a set of names over which its map must be total", () => {
    const handled = Object.fromEntries(streamEvents().map((e) => [e.name, true]));
    const total: Record<FrontendName, boolean> = handled as Record<FrontendName, boolean>;
    // @ts-expect-error a name that no event has
    expect(total.not_a_name).toBeUndefined();
    expect(total.gap).toBe(true);
  });
});

describe("looking types up", () => {
  test.each(["toString", "__proto__", "constructor", "", "runtime.", "Runtime.session.state"])(
    "%j is no event",
    (text) => {
      expect(isEventType(text)).toBe(false);
      expect(tierOf(text)).toBe("debug");
    },
  );

  test("an unknown type belongs to whom its namespace says", () => {
    expect(ownerOf("agent.future")).toBe("agent");
    expect(ownerOf("runtime.future")).toBe("runtime");
    expect(ownerOf("agentic.future")).toBe("runtime");
    expect(ownerOf("runtime.health.snapshot")).toBe("view");
  });
});

describe("validators", () => {
  test.each(EVENT_TYPES)("%s takes its own data", (type) => {
    fc.assert(
      fc.property(arbitraryData(type), (data) => {
        expect(EVENTS[type].data.safeParse(data).error).toBeUndefined();
      }),
      { numRuns: 20 },
    );
  });

  test.each(EVENT_TYPES)("%s refuses what is no object", (type) => {
    for (const bad of [undefined, null, 7, "text", [], true]) {
      expect(EVENTS[type].data.safeParse(bad).success).toBe(false);
    }
  });

  test.each(EVENT_TYPES)("%s is closed exactly when the runtime vouches for it", (type) => {
    const open = EVENTS[type].owner === "agent" || OPEN_FACTS.includes(type);
    fc.assert(
      fc.property(arbitraryData(type), (data) => {
        const more = { ...data, surprise: 1 };
        expect(EVENTS[type].data.safeParse(more).success).toBe(open);
      }),
      { numRuns: 5 },
    );
  });

  const asked = { request_id: "apr_1", kind: "approval", tool_name: "sh", reason: "why" };
  const outcome = { tool_call_id: "c", tool_name: "t", outcome_type: "x", elapsed_ms: 1 };
  test.each<[EventType, unknown]>([
    ["runtime.session.state", { session_id: "s", status: "asleep" }],
    ["runtime.session.state", { status: "idle" }],
    ["runtime.request.completed", { turn_id: "t" }],
    ["runtime.turn.ended", { turn_id: "t", status: "done" }],
    ["agent.output.delta", { text: 7 }],
    ["agent.output.delta", { text: "x", step: -1 }],
    ["agent.output.delta", { text: "x", step: 1.5 }],
    ["agent.tool.start", { name: "x", arguments: "{}", tool_call_id: "c" }],
    ["agent.tool.start", { name: "x", arguments: {} }],
    ["agent.tool.outcome", { ...outcome, status: "fine" }],
    ["agent.tool.outcome", { ...outcome, status: "ok", elapsed_ms: -1 }],
    ["agent.usage", { input_tokens: 1, output_tokens: 1 }],
    ["agent.usage", { input_tokens: 1, output_tokens: 1, total_tokens: Number.NaN }],
    ["runtime.question.asked", { ...asked, request_id: "evt_1" }],
    ["runtime.question.asked", { ...asked, request_id: "apr_" }],
    ["runtime.question.asked", { ...asked, kind: "poll" }],
    ["runtime.question.asked", { ...asked, risk: "none" }],
    ["runtime.question.decided", { ...asked, decision: "maybe", actor: "a", decided_at: "t" }],
    ["runtime.job.queued", { job_id: "j", project_id: "p", job_type: "t", state: "running" }],
    ["runtime.memory.lifecycle", { hook: "whenever" }],
    ["runtime.log.gap", { from_seq: 1, to_seq: 2, reason: "lost" }],
    ["runtime.adapter.event", { event: { adapter: "x" } }],
    ["runtime.run.lifecycle", { run_id: "r", session_id: "s", status: "odd", updated_at: "t" }],
    ["runtime.supervision.answered", { supervision_id: "s", decision: "allow" }],
  ])("%s refuses %j", (type, data) => {
    expect(EVENTS[type].data.safeParse(data).success).toBe(false);
  });
});

import type { AnyEvent, HealthPolicy, SessionStatus } from "@fairlead/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crossings, limitOf, MEASURES } from "../../src/domain/health/budgets.ts";
import { foldHealth } from "../../src/domain/health/fold.ts";
import { absorbHealth, freshSnapshot, newCarriedHealth, SNAPSHOT } from "../../src/domain/health/row.ts";
import { scoreOf, scoreParts, STUCK_MS } from "../../src/domain/health/score.ts";
import { changesAt, healthAt, isPlain, NO_NEWS, snapshotKey } from "../../src/domain/health/snapshot.ts";
import { type HealthState, newHealth } from "../../src/domain/health/state.ts";

const SESSION = "ses_1";
const START = Date.UTC(2026, 0, 1);

interface Happened {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const happened = (type: string, data: object): Happened => ({ type, data: data as Happened["data"] });

function eventOf({ type, data }: Happened, seq = 0): AnyEvent {
  return { id: `evt_${seq}`, seq, stream: SESSION, at: "", type, v: 1, turn_id: "trn_1", data } as never;
}

/** One event a second. */
function folded(events: readonly Happened[], state: HealthState = newHealth()): HealthState {
  for (const [i, event] of events.entries()) foldHealth(state, eventOf(event), START + i * 1_000);
  return state;
}

const begun = happened("runtime.request.started", { turn_id: "trn_1", input: "x" });
const stateSaid = (status: SessionStatus, more: object = {}) =>
  happened("runtime.session.state", { session_id: SESSION, status, kind: "background", ...more });
const outcome = (status: string, elapsed_ms = 5) =>
  happened("agent.tool.outcome", {
    tool_call_id: "c",
    tool_name: "look",
    outcome_type: "x",
    status,
    elapsed_ms,
  });
const call = (what: string) =>
  happened("agent.tool.start", { name: "look", tool_call_id: "c", arguments: { what, _tool_call_id: "c" } });
const usage = (total_tokens: number) =>
  happened("agent.usage", { input_tokens: total_tokens, output_tokens: 0, total_tokens });
const answer = happened("agent.output.completed", { text: "So it is." });
const plan = (status: string) =>
  happened("runtime.task.list", {
    run_id: "r",
    session_id: SESSION,
    updated_at: "",
    tasks: [{ id: "1", title: "t", status }],
  });

const STATUSES: readonly SessionStatus[] = [
  "queued",
  "running",
  "awaiting_approval",
  "paused",
  "recovering",
  "failed",
  "needs_review",
  "completed",
];

const anything = fc.oneof(
  fc.constant(begun),
  fc.constantFrom(...STATUSES).map((status) => stateSaid(status)),
  fc.nat(5).map((n) => stateSaid("running", { attempt_count: n })),
  fc.constantFrom("ok", "error", "timeout", "denied", "artifact").map((status) => outcome(status)),
  fc.constantFrom("a", "b").map(call),
  fc.nat(70_000).map(usage),
  fc.constant(answer),
  fc.constantFrom("pending", "completed").map(plan),
  fc.nat(100).map((usage_percent) => happened("agent.context.warning", { message: "", usage_percent })),
  fc
    .constantFrom("completed", "parked")
    .map((status) => happened("runtime.turn.ended", { turn_id: "trn_1", status })),
  fc.constant(happened("runtime.turn.resumed", { turn_id: "trn_1", attempt: 2, reason: "lost" })),
  fc.constant(
    happened("runtime.transport.diagnostic", { status: "degraded", kind: "provider_fallback", reason: "x" }),
  ),
  fc.constant(happened("runtime.execution.contract.failed", { reason: "x" })),
  fc
    .constantFrom("m1", "m2")
    .map((subject) =>
      happened("runtime.context.injected", { turn_id: "trn_1", source: "supervisor", subject, text: "fact" }),
    ),
);
const course = fc.array(anything, { maxLength: 60 });
const policies: fc.Arbitrary<HealthPolicy> = fc.record(
  {
    max_total_tokens: fc.nat(20_000),
    max_failed_tool_calls: fc.nat(3),
    max_runtime_minutes: fc.integer({ min: 1, max: 5 }),
    max_context_percent: fc.nat(100),
  },
  { requiredKeys: [] },
);

describe("a limit that is set anew", () => {
  const limited = (max_total_tokens: number) =>
    stateSaid("running", { metadata: { policy: { health: { max_total_tokens } } } });
  const paused = happened("runtime.policy.decision", {
    subject: "health_policy",
    outcome: "pause",
    reason: "used up",
    source: "health",
    details: { crossed: [{ budget: "max_total_tokens", limit: 10, value: 2_600 }] },
  });
  const resumed = happened("runtime.session.resuming", { session_id: SESSION, actor: "ada", reason: "r" });
  const limitAfter = (...events: Happened[]) => {
    const state = folded(events);
    return limitOf(state, state.policy, "max_total_tokens");
  };

  it("is the one that holds: a yes to the one before adds nothing to it", () => {
    expect(limitAfter(limited(10), paused, resumed)).toBe(2_610);
    expect(limitAfter(limited(10), paused, limited(20_000), resumed)).toBe(20_000);
    expect(limitAfter(limited(10), paused, resumed, limited(20_000))).toBe(20_000);
    expect(limitAfter(limited(10), paused, resumed, limited(100))).toBe(100);
  });

  it("and said again as it was, it leaves what a yes has moved", () => {
    expect(limitAfter(limited(10), paused, resumed, limited(10))).toBe(2_610);
    expect(limitAfter(limited(10), paused, limited(10), resumed)).toBe(2_610);
  });
});

describe("how a session fares", () => {
  it("is the same for the same log, policy and clock, and of plain JSON", () => {
    fc.assert(
      fc.property(course, policies, fc.nat(10_000_000), (events, policy, later) => {
        const snapshot = healthAt(SESSION, folded(events), START + later, policy);
        expect(healthAt(SESSION, folded(events), START + later, policy)).toEqual(snapshot);
        expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot);
      }),
    );
  });

  it("is a score from 0 to 100, which is what its parts leave", () => {
    fc.assert(
      fc.property(course, policies, fc.nat(10_000_000), (events, policy, later) => {
        const state = folded(events);
        const parts = scoreParts(state, policy, START + later);
        for (const part of Object.values(parts)) expect(part).toBeLessThanOrEqual(0);
        const { score } = healthAt(SESSION, state, START + later, policy);
        expect(score).toBe(
          Math.max(
            0,
            Object.values(parts).reduce((sum, part) => sum + part, 100),
          ),
        );
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(100);
      }),
    );
  });

  it("does not follow from its own snapshots, wherever they stand", () => {
    fc.assert(
      fc.property(course, fc.nat(60), (events, place) => {
        const health = newCarriedHealth();
        const plainly = newCarriedHealth();
        for (const [i, event] of events.entries()) {
          if (i === place)
            absorbHealth(health, eventOf(happened(SNAPSHOT, healthAt(SESSION, health.state, START))), START);
          absorbHealth(health, eventOf(event), START + i);
          absorbHealth(plainly, eventOf(event), START + i);
        }
        expect(health.state).toEqual(plainly.state);
      }),
    );
  });

  it("is no news where it is plain at a glance", () => {
    fc.assert(
      fc.property(course, fc.nat(10_000_000), (events, later) => {
        const state = folded(events);
        if (isPlain(state, START + later))
          expect(snapshotKey(healthAt(SESSION, state, START + later))).toBe(NO_NEWS);
      }),
      { numRuns: 500 },
    );
    expect(isPlain(folded([begun, answer, usage(5), stateSaid("completed")]), START)).toBe(true);
  });

  it("takes an event once, however often it is told", () => {
    fc.assert(
      fc.property(course, (events) => {
        const once = newCarriedHealth();
        const twice = newCarriedHealth();
        for (const [i, event] of events.entries()) {
          absorbHealth(once, eventOf(event, i + 1), START + i);
          for (const _ of [1, 2]) absorbHealth(twice, eventOf(event, i + 1), START + i);
        }
        expect(twice).toEqual(once);
      }),
    );
  });

  it("does not hang on the order of what is only counted", () => {
    const counted = fc.array(fc.oneof(fc.nat(10_000).map(usage), fc.constant(outcome("error"))), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(counted, (events) => {
        const of = (list: readonly Happened[]) => {
          const { tokens, failed_calls, calls } = folded(list);
          return { tokens, failed_calls, calls };
        };
        expect(of(events.toReversed())).toEqual(of(events));
      }),
    );
  });

  it("is told apart also where a snapshot says nothing of a budget that it names", () => {
    const said = { ...healthAt(SESSION, folded([begun]), START), budget_pressure: { max_turns: null } };
    expect(snapshotKey(said)).not.toBe(NO_NEWS);
  });

  it("is never better for one more call that fails in a row", () => {
    fc.assert(
      fc.property(fc.nat(12), (n) => {
        const score = (times: number) =>
          scoreOf(
            scoreParts(folded([begun, ...Array.from({ length: times }, () => outcome("error"))]), {}, START),
          );
        expect(score(n + 1)).toBeLessThanOrEqual(score(n));
      }),
    );
  });

  it("is no news while nothing but amounts grow within a step", () => {
    const policy = { max_total_tokens: 1_000 };
    const key = (tokens: number) =>
      snapshotKey(healthAt(SESSION, folded([begun, usage(tokens)]), START, policy));
    expect(key(10)).toBe(key(90));
    expect(key(10)).not.toBe(key(110));
  });
});

const NOW = START + 60_000;
const repeated = (event: Happened, times: number) => Array.from({ length: times }, () => event);

describe("each flag", () => {
  it.each<[string, readonly Happened[], number, HealthPolicy]>([
    ["stuck", [begun], START + STUCK_MS, {}],
    ["waiting", [stateSaid("awaiting_approval")], NOW, {}],
    ["waiting", [stateSaid("paused")], NOW, {}],
    ["degraded", [stateSaid("recovering")], NOW, {}],
    ["degraded", [stateSaid("running", { attempt_count: 2 })], NOW, {}],
    ["degraded", [begun, ...repeated(outcome("error"), 3)], NOW, {}],
    ["budget", [begun, usage(80)], NOW, { max_total_tokens: 100 }],
    ["loop", [begun, ...repeated(call("door"), 3)], NOW, {}],
    ["loop", [begun, ...repeated(plan("pending"), 4)], NOW, {}],
    ["no_evidence", [begun, ...repeated(answer, 13)], NOW, {}],
    ["no_evidence", [begun, answer, answer], NOW, { max_events_without_evidence: 1 }],
  ])("%s is raised", (flag, events, now, policy) => {
    const raised = healthAt(SESSION, folded(events), now, policy);
    expect(raised.flags).toContain(flag);
    expect(healthAt(SESSION, newHealth(), now, policy).flags).toEqual([]);
    // Each says what would help.
    expect(raised.recovery_hint).not.toBeNull();
  });

  it.each<[string, readonly Happened[], number]>([
    ["stuck: something came of it", [begun, outcome("ok")], START + STUCK_MS],
    [
      "stuck: nobody drives it",
      [begun, happened("runtime.turn.ended", { turn_id: "trn_1", status: "parked" })],
      START + 10 * STUCK_MS,
    ],
    ["loop: other calls", [begun, call("a"), call("b"), call("a"), call("b")], NOW],
    ["loop: a new turn", [begun, ...repeated(call("a"), 3), begun], NOW],
    ["degraded: one that succeeds", [begun, ...repeated(outcome("error"), 3), outcome("ok")], NOW],
    ["no_evidence: a look", [begun, ...repeated(answer, 13), outcome("ok")], NOW],
  ])("is not raised: %s", (_, events, now) => {
    expect(healthAt(SESSION, folded(events), now).flags).toEqual([]);
  });
});

describe("what is shown of a session", () => {
  const circling = [begun, ...repeated(call("door"), 4), ...repeated(outcome("error"), 4)];

  it.each<[SessionStatus, boolean]>([
    ["running", true],
    ["completed", false],
    ["cancelled", false],
  ])("says what can be done while it is %s: %s", (status, hints) => {
    const shown = healthAt(SESSION, folded([...circling, stateSaid(status)]), NOW);
    expect(shown.flags).toContain("loop");
    expect(shown.recovery_hint !== null).toBe(hints);
  });

  it("has limits as people write them, however they came about", () => {
    const state = { ...newHealth(), cost_usd: 0.31, allowed: { max_cost_usd: 0.1 + 0.2 } };
    expect(state.allowed.max_cost_usd).not.toBe(0.3);
    const policy = { max_cost_usd: 0.1 };
    expect(healthAt(SESSION, state, NOW, policy).budget_pressure?.["max_cost_usd"]).toMatchObject({
      limit: 0.3,
    });
    expect(crossings(state, policy, NOW, 100)).toMatchObject([{ limit: 0.3 }]);
    expect(limitOf(state, policy, "max_cost_usd")).toBe(state.allowed.max_cost_usd);
  });
});

describe("work whose files are on one machine", () => {
  const parked = happened("runtime.turn.ended", { turn_id: "trn_1", status: "parked" });
  const there = (status: SessionStatus) => stateSaid(status, { workspace_host: "box-1" });
  const ON_BOX = expect.stringContaining("Its files are on box-1");

  it.each([
    ["a process was lost", [there("running"), begun]],
    ["a process has handed it over", [there("running"), begun, parked, there("queued")]],
  ])("says which, when nothing comes of it: %s", (_, events) => {
    const state = folded(events);
    const at = changesAt(state, START) ?? 0;
    expect(healthAt(SESSION, state, at - 1).recovery_hint).toBeNull();
    expect(healthAt(SESSION, state, at).recovery_hint).toEqual(ON_BOX);
    expect(changesAt(state, at)).toBeNull();
    // Also where a glance is all that is taken, and whether a model was asked before or not.
    for (const context_percent of [0, 40]) {
      const carried = { state: { ...state, context_percent }, said: NO_NEWS, seq: 1 };
      expect(freshSnapshot(SESSION, carried, at - 1)).toBeUndefined();
      expect(freshSnapshot(SESSION, carried, at)).toMatchObject({ recovery_hint: ON_BOX });
    }
  });

  it("says nothing of it where a person is waited for, or it has ended", () => {
    for (const status of ["awaiting_approval", "completed"] as const) {
      const state = folded([there("running"), begun, parked, there(status)]);
      expect(changesAt(state, START)).toBeNull();
      expect(healthAt(SESSION, state, START + 2 * STUCK_MS).recovery_hint).not.toEqual(ON_BOX);
    }
  });
});

describe("time alone", () => {
  it("changes a session that is driven when it is stuck, and none that waits", () => {
    const state = folded([begun]);
    const at = changesAt(state, START) ?? 0;
    const key = (now: number) => snapshotKey(healthAt(SESSION, state, now));
    expect(key(at - 1)).toBe(key(START));
    expect(key(at)).not.toBe(key(START));
    expect(changesAt(state, at)).toBeNull();
    expect(
      changesAt(
        folded([begun, happened("runtime.turn.ended", { turn_id: "trn_1", status: "parked" })]),
        START,
      ),
    ).toBeNull();
  });

  it("counts while it is driven only", () => {
    const parked = happened("runtime.turn.ended", { turn_id: "trn_1", status: "parked" });
    const state = folded([begun, parked]);
    const policy = { max_runtime_minutes: 1 };
    expect(healthAt(SESSION, state, START + 3_600_000, policy).flags).toEqual([]);
    expect(healthAt(SESSION, folded([begun]), START + 60_000, policy).flags).toContain("budget");
  });

  it("keeps the longest of several calls, and how full the context was, until the model was asked again", () => {
    const level = (state: HealthState, budget: "max_tool_latency_ms" | "max_context_percent") =>
      MEASURES[budget](state, START);
    const warning = happened("agent.context.warning", { usage_percent: 90 });
    const compacted = happened("agent.context.compacted", {});
    const state = folded([begun, outcome("ok", 9_000), outcome("ok", 5), warning, compacted]);
    expect(level(state, "max_tool_latency_ms")).toBe(9_000);
    expect(level(state, "max_context_percent")).toBe(90);
    folded([answer], state);
    expect(level(state, "max_context_percent")).toBe(0);
    expect(level(folded([outcome("ok", 5)], state), "max_tool_latency_ms")).toBe(5);
  });

  it("is the same snapshot for who reads another clock, and another when the same happens again", () => {
    const asked = happened("runtime.policy.decision", { subject: "x", outcome: "block", reason: "no" });
    const at = (ms: number, events: readonly Happened[]) => {
      const state = newHealth();
      for (const event of events) foldHealth(state, eventOf(event), START + ms);
      return snapshotKey(healthAt(SESSION, state, START + ms));
    };
    expect(at(1, [asked])).toBe(at(2, [asked]));
    expect(at(1, [asked, asked])).not.toBe(at(1, [asked]));
  });
});

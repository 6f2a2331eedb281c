import type { AnyEvent, Wait } from "@fairlead/contract";
import fc from "fast-check";
import { expect, it } from "vitest";
import { fold } from "../src/domain/loop/fold.ts";
import { type LoopLimits, type Step, next } from "../src/domain/loop/next.ts";
import { type CallStage, type LoopState, newLoopState } from "../src/domain/loop/state.ts";

const LIMITS: LoopLimits = { steps: 3, misfits: 2, parallel: 2, losses: 2, children: 2 };

type Turn = "none" | "driven" | "parked";

/** In which states of the turn whoever performs a step does it. In any other it would come back and change nothing. */
const PERFORMED: Record<Step["kind"], readonly Turn[]> = {
  idle: ["none", "parked"],
  begin: ["none"],
  drop: ["none"],
  hold: ["none", "parked"],
  park: ["driven", "parked"],
  cancel: ["driven", "parked"],
  call: ["driven"],
  reflect: ["driven"],
  judge: ["driven"],
  settle: ["driven"],
  run: ["driven"],
  gather: ["driven"],
  verdict: ["driven"],
  review: ["driven"],
  complete: ["driven"],
  stop: ["driven"],
  fail: ["driven"],
};

const REQUEST = { request_id: "apr_1" as never, about: "approval" } as const;
const AWAY = { session_id: "ses_2" as never };
const STAGES: readonly CallStage[] = [
  { at: "requested" },
  { at: "ready" },
  { at: "asked", ...REQUEST },
  { at: "decided", ...REQUEST, decision: "approved", actor: "ada" },
  { at: "running" },
  { at: "away", ...AWAY },
  {
    at: "back",
    ...AWAY,
    agent_id: "a",
    status: "completed",
    output: "",
    tokens: 0,
    output_tokens: 0,
    cost_usd: 0,
    elapsed_ms: 0,
  },
  { at: "done" },
];
const WAITS: readonly (Wait[] | null)[] = [
  null,
  [],
  [{ kind: "question", request_id: "apr_1" as never }],
  [{ kind: "timer", until: "2026-01-01T00:00:00.000Z", reason: "later" }],
  [{ kind: "session", session_id: "ses_2" as never, tool_call_id: "c1" }],
];
const DECISIONS = [undefined, null, "approved", "denied"] as const;

const anyState: fc.Arbitrary<LoopState> = fc
  .record({
    kind: fc.constantFrom("chat", "background", "subagent"),
    status: fc.constantFrom("idle", "queued", "running", "awaiting_approval", "paused", "completed"),
    paused: fc.boolean(),
    held: fc.boolean(),
    open: fc.boolean(),
    waits: fc.constantFrom(...WAITS),
    stages: fc.array(fc.constantFrom(...STAGES), { maxLength: 3 }),
    limit: fc.constantFrom(...DECISIONS),
    gate: fc.constantFrom(...DECISIONS),
    counts: fc.record({ step: fc.nat(3), misfits: fc.nat(2), losses: fc.nat(2), answered: fc.boolean() }),
    cancelling: fc.constantFrom(null, { actor: "ada", reason: "enough" }),
    stopped: fc.constantFrom(null, "no"),
  })
  .map((made) => {
    const state = newLoopState();
    const delegation =
      made.kind === "subagent"
        ? {
            agent_id: "a",
            parent_session_id: "ses_0",
            parent_turn_id: "t",
            root_session_id: "ses_0",
            tool_call_id: "c",
          }
        : undefined;
    state.settings = { session_id: "ses_1", kind: made.kind, status: made.status, delegation } as never;
    if (made.open) fold(state, started);
    if (made.paused) state.paused = { actor: "ada", reason: "later" };
    if (made.held) state.held.push({ input_id: "inp_1" as never, input: "more", mode: "steer" });
    const { turn } = state;
    if (turn === null) return state;
    const question = (decision: (typeof DECISIONS)[number]) =>
      decision === undefined ? null : { request_id: "apr_2" as never, step: 1, decision };
    Object.assign(turn, made.counts, {
      waits: made.waits,
      cancelling: made.cancelling,
      limit: question(made.limit),
      gate: question(made.gate),
      calls: made.stages.map((stage, i) => ({
        requested: { tool_call_id: `c${i}`, name: "t", arguments: "{}" },
        stage,
        runs: 0,
      })),
    });
    turn.hooking.stopped = made.stopped;
    return state;
  });

const started = {
  type: "runtime.request.started",
  seq: 1,
  id: "evt_1",
  turn_id: "trn_1",
  data: { turn_id: "trn_1", input: "Go" },
} as unknown as AnyEvent;

it("no step is made of a state in which whoever performs it would do nothing", () => {
  fc.assert(
    fc.property(anyState, (state) => {
      const turn: Turn = state.turn === null ? "none" : state.turn.waits === null ? "driven" : "parked";
      const step = next(state, LIMITS);
      expect(PERFORMED[step.kind], step.kind).toContain(turn);
      if ("calls" in step) expect(step.calls).not.toEqual([]);
    }),
    { numRuns: 2000 },
  );
});

import { describe, expect, it } from "vitest";
import { newFacts } from "./facts.ts";
import { type LoopLimits, next } from "./next.ts";
import { newHooking } from "../hooks/fold.ts";
import { newReflecting } from "./reflection.ts";
import { type CallStage, type CallState, type LoopState, type TurnOfLoop, newLoopState } from "./state.ts";

const LIMITS: LoopLimits = { steps: 3, misfits: 2, parallel: 2, losses: 2, children: 2 };

function turn(more: Partial<TurnOfLoop> = {}): TurnOfLoop {
  return {
    turn_id: "trn_1",
    started: null,
    input: "Go",
    actor: null,
    attempt: 1,
    losses: 0,
    step: 0,
    pauses: 0,
    tries: 0,
    calls: [],
    misfits: 0,
    waits: null,
    cancelling: null,
    gate: null,
    limit: null,
    reserved: null,
    informed: [],
    answered: false,
    output: "",
    finish: null,
    wave: 0,
    facts: newFacts(),
    reflecting: newReflecting(),
    hooking: newHooking(),
    tokens: 0,
    output_tokens: 0,
    cost_usd: 0,
    ...more,
  };
}

const state = (more: Partial<TurnOfLoop> | null, held: LoopState["held"] = []): LoopState => ({
  ...newLoopState(),
  turn: more === null ? null : turn(more),
  held,
});

const asked: CallStage = { at: "asked", request_id: "apr_1" as never, about: "approval" };

function call(id: string, stage: CallStage, parallel = true): CallState {
  const started = { name: "t", arguments: {}, access: "read", effect: "none", parallel } as const;
  return {
    requested: { tool_call_id: id, name: "t", arguments: "{}" },
    stage,
    runs: 0,
    ...(stage.at === "requested" ? {} : { started }),
  };
}

const ids = (step: ReturnType<typeof next>) =>
  "calls" in step ? step.calls.map(({ requested }) => requested.tool_call_id) : [];

const steer = { input_id: "inp_1" as never, input: "more", mode: "steer" } as const;
const queued = { input_id: "inp_2" as never, input: "then", mode: "queue" } as const;

describe("the next step", () => {
  it("without a turn is to begin what waits, or nothing", () => {
    expect(next(state(null), LIMITS)).toEqual({ kind: "idle" });
    expect(next(state(null, [steer, queued]), LIMITS)).toEqual({ kind: "begin", input: steer });
  });

  it("is the model's, until it has answered and hears nothing more", () => {
    expect(next(state({}), LIMITS)).toEqual({ kind: "call", step: 1, attempt: 1, hear: [] });
    expect(next(state({ step: 1, tries: 2 }), LIMITS)).toMatchObject({ step: 2, attempt: 3 });
    const done = { step: 1, answered: true, output: "Yes.", finish: "length" };
    expect(next(state(done), LIMITS)).toEqual({ kind: "complete", output: "Yes.", reason: "length" });
    expect(next(state(done, [queued]), LIMITS)).toMatchObject({ kind: "complete" });
    expect(next(state(done, [queued, steer]), LIMITS)).toMatchObject({ kind: "call", hear: [steer] });
  });

  it("judges all calls, settles what was decided, then runs in the model's order", () => {
    const calls = [
      call("a", { at: "ready" }),
      call("b", { at: "requested" }),
      call("c", { ...asked, at: "decided", decision: "approved", actor: "ada" }),
    ];
    expect(next(state({ calls }), LIMITS)).toMatchObject({ kind: "judge" });
    expect(ids(next(state({ calls }), LIMITS))).toEqual(["b"]);
    expect(ids(next(state({ calls: calls.toSpliced(1, 1) }), LIMITS))).toEqual(["c"]);
  });

  it("runs reads together, as many as may, and a write alone", () => {
    const ready = { at: "ready" } as const;
    const reads = ["a", "b", "c"].map((id) => call(id, ready));
    expect(ids(next(state({ calls: reads }), LIMITS))).toEqual(["a", "b"]);
    const mixed = [call("a", ready), call("w", ready, false), call("b", ready)];
    expect(ids(next(state({ calls: mixed }), LIMITS))).toEqual(["a"]);
    expect(ids(next(state({ calls: mixed.slice(1) }), LIMITS))).toEqual(["w"]);
  });

  it("runs what comes before a question, and nothing that comes after it", () => {
    const ready = { at: "ready" } as const;
    expect(ids(next(state({ calls: [call("a", ready), call("q", asked)] }), LIMITS))).toEqual(["a"]);
    expect(next(state({ calls: [call("q", asked), call("a", ready)] }), LIMITS)).toEqual({
      kind: "park",
      waits: [{ kind: "question", request_id: "apr_1" }],
    });
  });

  it("finds out first what became of calls whose process is gone", () => {
    const calls = [call("a", { at: "running" }), call("b", { at: "requested" })];
    expect(next(state({ calls }), LIMITS)).toMatchObject({ kind: "verdict" });
    expect(ids(next(state({ calls }), LIMITS))).toEqual(["a"]);
  });

  it("waits for a person about the model call itself, and for time", () => {
    const gate = { request_id: "apr_2" as never, step: 1, decision: null };
    expect(next(state({ gate }), LIMITS)).toMatchObject({ kind: "park", waits: [{ request_id: "apr_2" }] });
    expect(next(state({ gate: { ...gate, decision: "approved" } }), LIMITS)).toMatchObject({ kind: "call" });
    const waits = [{ kind: "timer", until: "2026-01-01T00:00:00.000Z", reason: "later" }] as const;
    expect(next(state({ waits: [...waits] }), LIMITS)).toEqual({ kind: "park", waits });
    // Nothing is left to wait for, and it is parked all the same: that is where it goes on.
    expect(next(state({ waits: [] }), LIMITS)).toEqual({ kind: "park", waits: [] });
  });

  it("is the end when somebody wants that, whatever else there is to do", () => {
    const calls = [call("a", { at: "running" }), call("q", asked)];
    const waits = [{ kind: "question", request_id: "apr_1" as never } as const];
    const cancelling = { actor: "ada", reason: "enough" };
    expect(next(state({ calls, waits, cancelling }), LIMITS)).toEqual({ kind: "cancel", ...cancelling });
  });

  it("is the end when a limit is reached", () => {
    expect(next(state({ step: 3 }), LIMITS)).toEqual({ kind: "fail", code: "step_limit" });
    expect(next(state({ misfits: 2 }), LIMITS)).toEqual({ kind: "fail", code: "repair_limit" });
    expect(next(state({ losses: 2 }), LIMITS)).toEqual({ kind: "fail", code: "interrupted" });
    // An answer that is there is an answer.
    expect(next(state({ step: 3, answered: true }), LIMITS)).toMatchObject({ kind: "complete" });
  });

  it("waits for all sub-agents together, then says what came of them, and starts as many as may be", () => {
    const agent = (id: string, stage: CallStage): CallState => ({
      requested: { tool_call_id: id, name: "delegate", arguments: "{}" },
      stage,
      runs: 0,
      started: {
        name: "delegate",
        arguments: {},
        access: "read",
        effect: "idempotent",
        parallel: true,
        delegates: true,
      },
    });
    const away = (id: string) => agent(id, { at: "away", session_id: `ses_${id}` as never });
    const back = agent("b", {
      at: "back",
      session_id: "ses_b" as never,
      agent_id: "subagent_1",
      status: "completed",
      output: "",
      tokens: 0,
      output_tokens: 0,
      cost_usd: 0,
      elapsed_ms: 0,
    });
    const asked = agent("q", { at: "asked", request_id: "apr_1" as never, about: "approval" });
    const ready = (id: string) => agent(id, { at: "ready" });
    const wide = { ...LIMITS, parallel: 8 };
    expect(next(state({ calls: [away("a"), ready("r"), asked] }), wide)).toEqual({
      kind: "park",
      waits: [
        { kind: "session", session_id: "ses_a", tool_call_id: "a" },
        { kind: "question", request_id: "apr_1" },
      ],
    });
    expect(next(state({ calls: [away("a"), back] }), wide)).toMatchObject({ kind: "gather", calls: [back] });
    const run = next(state({ calls: [ready("a"), ready("b"), ready("c")] }), wide);
    expect(run).toMatchObject({ kind: "run" });
    expect(run.kind === "run" && run.calls.map(({ requested }) => requested.tool_call_id)).toEqual([
      "a",
      "b",
    ]);
    const over = { ...LIMITS, children: 0 };
    expect(next(state({ calls: [ready("a"), ready("b")] }), over)).toMatchObject({ kind: "run" });
  });

  it("ends what was delegated when all that was given is used, and an answer is still an answer", () => {
    const delegation = {
      agent_id: "a",
      parent_session_id: "ses_0",
      parent_turn_id: "t",
      root_session_id: "ses_0",
      tool_call_id: "c",
      max_tokens: 10,
      max_steps: 2,
    };
    const given = (more: Partial<TurnOfLoop>, turns = 1) =>
      next(
        {
          ...state(more),
          turns,
          settings: { session_id: "ses_1", status: "running", delegation },
        },
        LIMITS,
      );
    expect(given({ step: 1, tokens: 9 })).toMatchObject({ kind: "call" });
    expect(given({ step: 1, tokens: 10 })).toEqual({ kind: "fail", code: "budget" });
    expect(given({ step: 2 })).toEqual({ kind: "fail", code: "step_limit" });
    expect(given({ step: 1, tokens: 10, answered: true })).toMatchObject({ kind: "complete" });
    // What people ask of it later is theirs.
    expect(given({ step: 2, tokens: 99 }, 2)).toMatchObject({ kind: "call" });
  });

  describe("where the model is to look back", () => {
    const wants = (reflection: unknown, more: Partial<TurnOfLoop>, held: LoopState["held"] = []) =>
      next(
        {
          ...state(more, held),
          settings: { session_id: "ses_1", status: "running", reflection: reflection as never },
        },
        LIMITS,
      );
    const of = (more: Partial<ReturnType<typeof newReflecting>>) => ({
      reflecting: { ...newReflecting(), ...more },
    });
    const both = { after_failures: 2, before_finish: true };
    const done = { step: 1, answered: true, output: "Yes." };

    it("is that, after so many failures and not before", () => {
      expect(wants(both, { step: 1, ...of({ failures: 1 }) })).toMatchObject({ kind: "call" });
      expect(wants(both, { step: 1, tries: 1, ...of({ failures: 2 }) })).toEqual({
        kind: "reflect",
        trigger: "after_failures",
        step: 2,
        attempt: 2,
      });
      expect(wants({ before_finish: true }, of({ failures: 9 }))).toMatchObject({ kind: "call" });
    });

    it("is that, before the end of what changed something and of nothing else", () => {
      expect(wants(both, { ...done, ...of({ changed: true }) })).toMatchObject({
        kind: "reflect",
        trigger: "before_finish",
      });
      expect(wants(both, { ...done, ...of({ failures: 9 }) })).toMatchObject({ kind: "complete" });
      expect(wants({ after_failures: 1 }, { ...done, ...of({ changed: true }) })).toMatchObject({
        kind: "complete",
      });
      expect(wants(both, { step: 1, ...of({ changed: true }) })).toMatchObject({ kind: "call" });
    });

    it("is never that where nobody chose it, or nobody can read what was chosen", () => {
      const ripe = { ...done, ...of({ changed: true, failures: 9 }) };
      for (const chosen of [undefined, null, {}, { before_finish: false }, "yes", { after_failures: 0 }])
        expect(wants(chosen, ripe)).toMatchObject({ kind: "complete" });
    });

    it("comes after what a person said, unless it was told already", () => {
      const ripe = of({ changed: true, failures: 9 });
      expect(wants(both, { ...done, ...ripe }, [steer])).toMatchObject({ kind: "call", hear: [steer] });
      const told = of({ pending: "after_failures" });
      expect(wants({}, told, [steer])).toMatchObject({ kind: "reflect", trigger: "after_failures" });
    });

    it("gives way to the limit of steps, to questions and to the end", () => {
      const ripe = { ...done, step: 3, ...of({ changed: true, pending: "before_finish" }) };
      expect(wants(both, ripe)).toMatchObject({ kind: "complete" });
      expect(wants(both, { step: 3, ...of({ failures: 2 }) })).toMatchObject({ code: "step_limit" });
      const gate = { request_id: "apr_2" as never, step: 2, decision: null };
      expect(wants(both, { ...done, gate, ...of({ changed: true }) })).toMatchObject({ kind: "park" });
      expect(wants(both, { ...ripe, cancelling: { actor: "ada", reason: "enough" } })).toMatchObject({
        kind: "cancel",
      });
    });
  });
});

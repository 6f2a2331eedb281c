import { describe, expect, test } from "vitest";
import { budgetSpent } from "../../src/domain/supervision/guards.ts";
import type { Switches } from "../../src/domain/supervision/switches.ts";
import type { SupervisionLimits } from "../../src/services/supervision/limits.ts";
import { createOwnSupervision } from "../../src/services/supervision/own.ts";
import { countingIds, everything, handTime, rulesFrom, settle, world } from "../support/world.ts";
import { ADA, calling, heard, kept, outcomes, ran } from "./support.ts";

function supervised(options: { rules?: string; switches?: Switches; budget?: SupervisionLimits["budget"] }) {
  const time = handTime();
  const supervision = createOwnSupervision({
    rules: rulesFrom(options.rules ?? "rules: []", time.clock.now),
    guards: [budgetSpent],
    externals: [],
    clock: time.clock,
    ids: countingIds("s"),
    limits: { budget: options.budget ?? {} },
    ...(options.switches === undefined ? {} : { switches: options.switches }),
  });
  return { time, supervision };
}

describe("the record of a turn", () => {
  test("says once what it is asked about, and under which rules", async () => {
    const parts = supervised({
      rules: "rules: [{ id: r, on: [reasoning], decide: allow }]",
      switches: { on: { planning: true }, unsupervised: ["pre_prompt"] },
    });
    const turn = await ran({ ...parts, models: [heard({ do: [{ say: "Done." }] })] });
    const { rule_set_hash } = parts.supervision.coverage();
    expect(await turn.decisions("turn_runtime")).toMatchObject([
      {
        outcome: "configured",
        permission_mode: "normal",
        approval_mode: "on_request",
        details: {
          depth: 0,
          asked: ["pre_action", "pre_prompt", "planning", "reasoning"],
          unsupervised: ["pre_prompt"],
          rule_set_hash,
        },
      },
    ]);
    expect(rule_set_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(await turn.decisions("pre_prompt")).toMatchObject([{ outcome: "allow" }]);
  });

  test("a question that is switched off is not asked, though a rule is there for it", async () => {
    const parts = supervised({
      rules: "rules: [{ id: no, on: [reasoning], decide: block, reason: No. }]",
      switches: { on: { reasoning: false } },
    });
    const turn = await ran({ ...parts, models: [heard({ do: [{ say: "Done." }] })] });
    expect(await turn.decisions("reasoning")).toEqual([]);
    expect(await turn.data("runtime.request.completed")).toHaveLength(1);
  });

  test("its life is told with its depth", async () => {
    const w = world({ models: [heard({ do: [{ say: "Done." }] })] });
    const { session_id } = await w.services.sessions.create(ADA, {});
    const [first] = await everything(w.log, session_id);
    const state = { ...(first?.data as object), depth: 2 } as never;
    await w.log.append({
      writes: [{ stream: session_id, events: [{ type: "runtime.session.state", data: state }] }],
    });
    await w.services.turns.start(ADA, session_id, { input: "Go on" });
    for (let i = 0; i < 20; i++) await settle();
    const events = await everything(w.log, session_id);
    const life = events.filter(({ type }) => type === "runtime.run.lifecycle").map(({ data }) => data);
    expect(life).toMatchObject([
      { status: "executing", depth: 2, session_id, prompt: "Go on" },
      { status: "completed", depth: 2, session_id },
    ]);
    expect(events.find(({ type }) => type === "runtime.policy.decision")?.data).toMatchObject({
      details: { depth: 2 },
    });
  });
});

describe("a budget", () => {
  test("of actions: the next call is denied, and the model goes on", async () => {
    const look = kept("look");
    const turn = await ran({
      ...supervised({ budget: { actions: 1 } }),
      models: [heard({ rounds: [[{ call: "look" }, { call: "look" }], [{ say: "Done." }]] })],
      tools: [look],
    });
    expect(look.runs).toHaveLength(1);
    expect(await outcomes(turn)).toEqual(
      expect.arrayContaining([
        ["look", "denied", "The session's budget is spent: actions."],
        ["look", "ok"],
      ]),
    );
    expect((await turn.decisions("pre_action")).at(-1)).toMatchObject({
      outcome: "block",
      rule_id: "builtin:budget-spent",
    });
  });

  test("of tokens: the model is not asked where no answer could fit, and the turn ends", async () => {
    const model = calling("look");
    const turn = await ran({
      ...supervised({ budget: { tokens: 1 } }),
      models: [model],
      tools: [kept("look")],
    });
    expect(model.asked).toEqual([]);
    expect(await turn.data("runtime.request.failed")).toMatchObject([
      { code: "budget", error: "What is left of its budget is too little." },
    ]);
  });
});

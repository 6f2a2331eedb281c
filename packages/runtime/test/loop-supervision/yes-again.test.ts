import { describe, expect, test } from "vitest";
import { compilePolicy } from "../../src/domain/policy/compile.ts";
import type { Policy } from "../../src/domain/policy/policy.ts";
import { budgetSpent } from "../../src/domain/supervision/guards.ts";
import { createOwnSupervision } from "../../src/services/supervision/own.ts";
import { policyRules } from "../../src/services/supervision/policy-rules.ts";
import { countingIds, handTime } from "../support/world.ts";
import { calling, ending, kept, outcomes, ran } from "./support.ts";

function policy(text: string): Policy {
  const compiled = compilePolicy([{ path: "policies/test.yaml", text: `rules:\n${text}` }]);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors));
  return compiled.policy;
}

/** Rules that the test can change while a person thinks. */
function changing(first: string) {
  const time = handTime();
  let current = policy(first);
  const supervision = createOwnSupervision({
    rules: policyRules(() => current, time.clock.now),
    guards: [budgetSpent],
    externals: [],
    clock: time.clock,
    ids: countingIds("s"),
    limits: { budget: {} },
  });
  return { time, supervision, change: (text: string) => void (current = policy(text)) };
}

const ASK = "  - { id: ask, on: [pre_action], decide: escalate, reason: Look. }";
const PATCH = "  - { id: less, on: [pre_action], decide: modify, patch: { arguments: { times: 1 } } }";
const ASK_LESS =
  "  - { id: ask, on: [pre_action], when: event.payload.arguments.times == 1, decide: escalate, reason: Look. }";

async function asked(rules: string) {
  const look = kept("look");
  const { change, ...parts } = changing(rules);
  const turn = await ran({ ...parts, models: [calling("look", { what: "a", times: 9 })], tools: [look] });
  return { look, turn, change };
}

describe("a person's yes", () => {
  test("does not count against a rule that blocks by then", async () => {
    const { look, turn, change } = await asked(ASK);
    change("  - { id: no, on: [pre_action], decide: block, reason: Not any more. }");
    await turn.decide({ decision: "approved" });
    expect(look.runs).toEqual([]);
    expect(await outcomes(turn)).toEqual([["look", "denied", "Not any more."]]);
    expect(await ending(turn)).toMatchObject({ status: "completed" });
  });

  test("counts for the call as the rules had changed it, which is what was shown", async () => {
    const { look, turn } = await asked(`${PATCH}\n${ASK_LESS}`);
    expect((await turn.question()).shown).toMatchObject({ arguments: { what: "a", times: 1 } });
    await turn.decide({ decision: "approved" });
    expect(look.runs).toEqual([{ what: "a", times: 1 }]);
  });

  test("does not count for what rules would change by then", async () => {
    const { look, turn, change } = await asked(ASK);
    change(PATCH);
    await turn.decide({ decision: "approved" });
    expect(look.runs).toEqual([]);
    expect(await outcomes(turn)).toEqual([
      ["look", "denied", "The rules in force would change what was approved."],
    ]);
  });

  test("with edited arguments: they are judged by the rules, which may block", async () => {
    const { look, turn } = await asked(`${ASK}
  - { id: no, on: [pre_action], when: event.payload.arguments.times > 9, decide: block, reason: Too often. }`);
    await turn.decide({ decision: "edited", edited: { times: 10 } });
    expect(look.runs).toEqual([]);
    expect(await outcomes(turn)).toEqual([["look", "denied", "Too often."]]);
    expect((await turn.decisions("pre_action")).map(({ outcome }) => outcome)).toEqual(["escalate", "block"]);
  });

  test("with edited arguments that only ask: nobody is asked twice", async () => {
    const { look, turn } = await asked(ASK);
    await turn.decide({ decision: "edited", edited: { times: 2 } });
    expect(look.runs).toEqual([{ times: 2 }]);
    expect(await turn.data("runtime.question.asked")).toHaveLength(1);
  });
});

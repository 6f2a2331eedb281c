import type { HealthPolicy } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import type { Step } from "../../src/models/script.ts";
import { delegate } from "../../src/tools/delegate.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { ADA, look } from "../golden/scene.ts";
import { DONE, LOOK, model } from "../kernel/support.ts";
import { delegating } from "../services/delegation-support.ts";
import { held } from "./support.ts";

const used = (tokens: number): Step => ({ usage: { input_tokens: tokens, output_tokens: 0 } });
/** Far more than any limit below. */
const LONG = "A long story. ".repeat(2_000);

async function asked(health: HealthPolicy) {
  const scripted = { ...model([used(200), LOOK], [DONE]), price: { input: 1, output: 1 } };
  const at = await held({ health, models: [scripted], tools: [look], start: { task: LONG } });
  await at.until("awaiting_approval", "paused");
  return at;
}

describe("one yes to a budget", () => {
  it.each([
    ["less than one call needs", { max_total_tokens: 100 }],
    ["nothing at all", { max_total_tokens: 0 }],
    ["so few dollars", { max_cost_usd: 0.0001 }],
    ["no dollars", { max_cost_usd: 0 }],
    ["little of both", { max_total_tokens: 100, max_cost_usd: 0.0001 }],
  ] as const)("lets work go on that may use %s", async (_, health) => {
    const at = await asked(health);
    await at.decide("approved");
    await at.until("completed", "awaiting_approval");
    // The call that was asked about was made, with room for a whole answer.
    expect(await at.data("agent.usage")).not.toHaveLength(0);
    const [reserved] = await at.data("runtime.budget.reserved");
    expect(Number(reserved?.["tokens"])).toBeGreaterThan(16_000);
  });

  it("is not asked for where a model that costs nothing may cost nothing", async () => {
    const free = { ...model([used(200), LOOK], [DONE]), price: { input: 0, output: 0 } };
    const at = await held({ health: { max_cost_usd: 0 }, models: [free], tools: [look], start: {} });
    await at.until("completed", "awaiting_approval");
    expect(await at.data("runtime.question.asked")).toEqual([]);
    expect(await at.data("agent.usage")).toHaveLength(2);
  });

  it("lets it go on as well where it was paused and somebody resumes it", async () => {
    const at = await asked({ max_total_tokens: 100, action: "pause" });
    await at.w.services.kernel.resume(ADA, at.session);
    await at.until("completed", "paused");
    expect(await at.data("agent.usage")).not.toHaveLength(0);
  });

  it("is enough where the call before has used more than all", async () => {
    const scripted = model([used(30_000), LOOK], [used(1), DONE]);
    const at = await held({
      health: { max_total_tokens: 26_000 },
      models: [scripted],
      tools: [look],
      start: { task: LONG },
    });
    await at.until("awaiting_approval");
    await at.decide("approved");
    await at.until("completed");
    expect(await at.data("runtime.question.asked")).toHaveLength(1);
  });

  it("is enough for a sub-agent that has no room for its call", async () => {
    const rules = [
      { when: "begin", rounds: [[{ call: "delegate", with: { task: "Dig." } }], [{ say: "Dug." }]] },
      { when: "dig", rounds: [[used(2_500), { call: "look", with: { what: "a" } }], [{ say: "Deep." }]] },
    ];
    const play = await delegating({
      models: [scriptedModel({ script: { rules } as never })],
      tools: [delegate(), look],
    });
    const { w, until, of, pending } = play;
    const policy = { health: { max_total_tokens: 3_000 } };
    const { session_id: id } = await w.services.kernel.start(ADA, { task: "begin", policy });
    const is = (...of: readonly string[]) =>
      until(async () => of.includes((await w.services.sessions.get(ADA, id)).status));
    await is("awaiting_approval", "failed", "completed");
    const [question] = await pending(id);
    await w.services.turns.recover();
    await w.services.questions.decide(ADA, question?.request_id ?? "", { decision: "approved" });
    await is("completed");
    expect(await of("runtime.question.asked", id)).toHaveLength(1);
  });
});

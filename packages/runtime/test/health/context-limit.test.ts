import { expect, it } from "vitest";
import type { Step } from "../../src/models/script.ts";
import { look, tool } from "../golden/scene.ts";
import { DONE, model } from "../kernel/support.ts";
import { held } from "./support.ts";

const WINDOW = 20_000;
/** A tenth of the context and more, each time. */
const big = tool("big", async () => ({ result: "words", text: "word ".repeat(2_000) }));

async function filling(max_context_percent: number, inputs: readonly number[]) {
  const rounds = inputs.map((input_tokens, i): Step[] => [
    { usage: { input_tokens, output_tokens: 1 } },
    { call: "big", with: { what: String(i) } },
  ]);
  const filled = { ...model(...rounds, [DONE]), contextTokens: WINDOW };
  return held({ health: { max_context_percent }, models: [filled], tools: [look, big] });
}

it("a context that grows beyond what a person allowed is asked about again", async () => {
  const at = await filling(10, [500, 3_000, 5_500, 8_000]);
  const asked: number[] = [];
  for (;;) {
    const { status, health } = await at.until("awaiting_approval", "completed", "failed");
    if (status !== "awaiting_approval") break;
    const said = health.policy?.enforcement?.["crossed"];
    const [crossed] = said as readonly { readonly limit: number; readonly value: number }[];
    asked.push(crossed?.limit ?? 0);
    expect(crossed?.value).toBeGreaterThan(crossed?.limit ?? Infinity);
    await at.decide("approved");
  }
  expect((await at.row()).status).toBe("completed");
  // Each yes is for a little more than there was, and not for all that comes.
  expect(asked.length).toBeGreaterThan(2);
  expect(asked).toEqual(asked.toSorted((a, b) => a - b));
  expect(asked[0]).toBe(10);
});

it("how full it is is known from each call, also where nobody was warned, and can be near", async () => {
  const at = await filling(60, [10_000, 11_000]);
  const { health } = await at.until("completed");
  expect((health.usage as { context_percent: number }).context_percent).toBeGreaterThan(0);
  const said = (await at.data("runtime.health.snapshot")).map(({ flags }) => flags);
  expect(said).toContainEqual(["budget"]);
  expect(await at.data("agent.context.warning")).toEqual([]);
});

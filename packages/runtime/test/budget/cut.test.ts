import { describe, expect, it } from "vitest";
import type { Model } from "../../src/ports/model.ts";
import { held } from "../health/support.ts";
import { model } from "../kernel/support.ts";

const WORDS = 4_000;

/** Says a long answer, a token a word, and stops where it is held to: as providers do. */
function obedient(): Model {
  return {
    ...model([{ say: "x" }]),
    async *stream({ max_output_tokens: most = Infinity }) {
      const words = Math.min(WORDS, most);
      yield { type: "text", text: "word ".repeat(words) };
      yield { type: "usage", input_tokens: 500, output_tokens: words };
      yield { type: "finish", reason: words < WORDS ? "length" : "stop" };
    },
  };
}

describe("an answer that was cut off where the budget ended", () => {
  it("is no end of the work: a person is asked, and with a yes it is given whole", async () => {
    const at = await held({ health: { max_total_tokens: 2_500 }, models: [obedient()] });
    const asked = await at.until("awaiting_approval", "completed", "failed");
    expect(asked.status).toBe("awaiting_approval");
    expect(asked.health.policy?.enforcement).toMatchObject({ crossed: [{ budget: "max_total_tokens" }] });
    await at.decide("approved");
    await at.until("completed");
    const [end] = await at.data("runtime.request.completed");
    expect(String(end?.["output"]).trim().split(" ")).toHaveLength(WORDS);
  });

  it("pauses it where that is what its policy says", async () => {
    const health = { max_total_tokens: 2_500, action: "pause" } as const;
    const at = await held({ health, models: [obedient()] });
    expect((await at.until("paused", "completed", "failed")).status).toBe("paused");
    expect(await at.data("agent.output.completed")).toEqual([]);
  });

  it("is whole where the model itself says no more", async () => {
    const brief: Model = {
      ...obedient(),
      async *stream() {
        yield { type: "text", text: "All I can say." };
        yield { type: "usage", input_tokens: 500, output_tokens: 4 };
        yield { type: "finish", reason: "length" };
      },
    };
    const at = await held({ health: { max_total_tokens: 2_500 }, models: [brief] });
    await at.until("completed");
  });
});

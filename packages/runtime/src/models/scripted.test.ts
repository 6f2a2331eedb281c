import { describe, expect, it } from "vitest";
import type { ModelPart } from "../ports/model.ts";
import { parseScript } from "./script.ts";
import { type ScriptedOptions, scriptedModel } from "./scripted.ts";

async function answer(
  prompt: string,
  options: ScriptedOptions = {},
  signal = new AbortController().signal,
): Promise<ModelPart[]> {
  const parts: ModelPart[] = [];
  const model = scriptedModel({ sleep: async () => {}, ...options });
  for await (const part of model.stream({ messages: [{ role: "user", text: prompt }] }, signal))
    parts.push(part);
  return parts;
}

const textOf = (parts: readonly ModelPart[]) =>
  parts.map((part) => (part.type === "text" ? part.text : "")).join("");

describe("the scripted model", () => {
  it("answers the same each time, word by word, with usage and an end", async () => {
    const parts = await answer("How do I begin?");
    expect(parts).toEqual(await answer("How do I begin?"));
    expect(textOf(parts)).toContain("“How do I begin?”");
    expect(textOf(parts)).toContain("fairlead tail");
    expect(parts.filter((part) => part.type === "text").length).toBeGreaterThan(50);
    expect(parts.slice(-2).map((part) => part.type)).toEqual(["usage", "finish"]);
  });

  it("plays the first rule that fits", async () => {
    const script = parseScript(
      JSON.stringify({
        rules: [
          { when: "WEATHER", do: [{ say: "Rain,  all\nday." }, { finish: "length" }] },
          { when: "fail", do: [{ fail: "boom" }] },
        ],
      }),
      "test",
    );
    expect(textOf(await answer("the weather?", { script }))).toBe("Rain,  all\nday.");
    expect((await answer("the weather?", { script })).at(-1)).toEqual({ type: "finish", reason: "length" });
    await expect(answer("please fail", { script })).rejects.toThrow("boom");
    expect(textOf(await answer("else", { script }))).toBe("Nothing in my script answers that.");
  });

  it("quotes no more of a prompt than is needed to know it, and takes it literally", async () => {
    const script = { rules: [{ do: [{ say: "<{{prompt}}>" }] }] };
    expect(textOf(await answer("$& {{prompt}}", { script }))).toBe("<$& {{prompt}}>");
    expect(textOf(await answer("😀".repeat(500), { script }))).toBe(`<${"😀".repeat(200)}…>`);
  });

  it("ends soon after it is told to, also out of a wait", async () => {
    for (const steps of [
      [{ wait_ms: 60_000 }, { say: "late" }],
      [{ hang: true as const }, { say: "late" }],
    ]) {
      const abort = new AbortController();
      setTimeout(() => abort.abort(), 5);
      expect(
        await answer("x", { script: { rules: [{ do: steps }] }, sleep: undefined }, abort.signal),
      ).toEqual([]);
    }
  });

  it.each([
    ["not JSON", "{", "it.json is not JSON"],
    ["a wrong step", '{"rules":[{"do":[{"shout":"x"}]}]}', "it.json is not a script: rules.0.do.0"],
    ["no rules", "{}", "it.json is not a script: rules"],
  ])("says what is wrong with a script: %s", (_, json, message) => {
    expect(() => parseScript(json, "it.json")).toThrow(message);
  });
});

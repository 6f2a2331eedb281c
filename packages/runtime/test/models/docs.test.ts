import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { MODEL_FIELDS } from "../../src/host/model-config.ts";
import { parseScript } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { conversation, textOf } from "./support.ts";

const text = readFileSync(new URL("../../../../docs/models.md", import.meta.url), "utf8");
const blocks = (language: string): string[] =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, "g"))].map(([, block]) => block ?? "");

describe("docs/models.md", () => {
  it("has only settings that are taken", () => {
    const found = blocks("yaml");
    expect(found.length).toBeGreaterThan(2);
    for (const block of found)
      expect(z.strictObject(MODEL_FIELDS).safeParse(parse(block)).error).toBeUndefined();
  });

  it("has a script that works as it says", async () => {
    const [block = ""] = blocks("json");
    const model = scriptedModel({ script: parseScript(block, "docs/models.md") });
    const told = async (failed: boolean): Promise<string> => {
      const { rounds } = await conversation(model, "See the README.", () => ({ text: "# Title", failed }));
      return textOf(rounds.at(-1) ?? []);
    };
    expect(await told(false)).toBe("It begins with: # Title");
    expect(await told(true)).toBe("I could not: # Title");
  });
});

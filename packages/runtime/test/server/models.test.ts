import type { ModelRow } from "@fairlead/contract";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { MODEL_FIELDS } from "../../src/host/model-config.ts";
import { openModels } from "../../src/open-models.ts";
import { startSite } from "./support.ts";

const KEY = "sk-very-secret-4711";

async function served(config: unknown, env: Record<string, string>) {
  const { models, fallbacks } = openModels({ config: z.strictObject(MODEL_FIELDS).parse(config), env });
  return startSite({ models, runtime: { fallbacks } });
}

describe("the list of models", () => {
  test("has what people choose by, the default first, and no key", async () => {
    const site = await served(
      {
        models: [
          { provider: "openai", model: "gpt-5", price: { input: 1, output: 8 }, context_tokens: 400_000 },
          { name: "here", provider: "compatible", model: "any", base_url: "http://127.0.0.1:1/v1" },
          { provider: "scripted" },
        ],
        default_model: "here",
        fallback_models: ["scripted", "openai/gpt-5"],
      },
      { OPENAI_API_KEY: KEY },
    );
    const response = await site.call("/models", { as: "viewer" });
    const text = await response.text();
    expect(text).not.toContain(KEY);
    expect(text).not.toContain("127.0.0.1");
    const { models } = JSON.parse(text) as { models: ModelRow[] };
    expect(models).toMatchObject([
      { name: "here", provider: "compatible", model: "any", default: true, fallback: null, has_key: false },
      {
        name: "gpt-5",
        default: false,
        fallback: 2,
        has_key: true,
        context_tokens: 400_000,
        price: { input: 1, output: 8 },
      },
      {
        name: "scripted",
        provider: "fairlead",
        fallback: 1,
        has_key: null,
        context_tokens: null,
        price: { input: 0, output: 0 },
      },
    ]);
    // Each name is one that a session takes.
    for (const { name } of models) {
      const made = await site.call("/chat/sessions", { method: "POST", body: { model: name } });
      expect(await made.json()).toMatchObject({ state: { model: name } });
    }
    await site.close();
  });

  test("is for those who are signed in", async () => {
    const site = await startSite();
    expect((await site.call("/models", { as: null })).status).toBe(401);
    expect((await site.call("/models", { as: "agent" })).status).toBe(200);
    await site.close();
  });
});

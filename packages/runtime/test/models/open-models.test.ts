import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { MODEL_FIELDS } from "../../src/host/model-config.ts";
import { serveModel } from "../../src/models/serve/server.ts";
import { openModels } from "../../src/open-models.ts";
import { ask, textOf } from "./support.ts";

const Config = z.strictObject(MODEL_FIELDS);
const config = (value: unknown) => Config.parse(value);
const SECRET = "sk-very-secret-4711";

const open = (value: unknown, env: Record<string, string> = {}, keys?: () => string) =>
  openModels({ config: config(value), env, keys });

const namesOf = ({ models }: ReturnType<typeof openModels>): readonly string[] =>
  models.map(({ provider, id }) => `${provider}/${id}`);

function keyDirectory(text: string, mode = 0o600): () => string {
  const root = mkdtempSync(join(tmpdir(), "fairlead-keys-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const directory = join(root, "fairlead");
  mkdirSync(directory, { mode: 0o700 });
  writeFileSync(join(directory, "model-keys"), text);
  chmodSync(join(directory, "model-keys"), mode);
  return () => directory;
}

describe("without a configuration", () => {
  it("the scripted model answers", async () => {
    const opened = openModels({ env: {} });
    expect(namesOf(opened)).toEqual(["fairlead/scripted"]);
    const request = { messages: [{ role: "user", text: "Hi" }] } as const;
    for await (const part of opened.models[0]?.stream(request, new AbortController().signal) ?? []) {
      expect(part).toEqual({ type: "thinking", text: "No" });
      break;
    }
    expect.assertions(2);
  });

  it.each([
    [{ ANTHROPIC_API_KEY: SECRET }, ["anthropic/claude-sonnet-5-5"]],
    [{ OPENAI_API_KEY: SECRET }, ["openai/gpt-6.1-sol"]],
    [{ GEMINI_API_KEY: SECRET }, ["google/gemini-3.8-flash"]],
    [
      { GOOGLE_GENERATIVE_AI_API_KEY: SECRET, OPENAI_API_KEY: "k" },
      ["openai/gpt-6.1-sol", "google/gemini-3.8-flash"],
    ],
    [{ OPENAI_API_KEY: "  " }, ["fairlead/scripted"]],
    [
      { OPENAI_API_KEY: SECRET, FAIRLEAD_MODEL: "openai/gpt-5.4-mini" },
      ["openai/gpt-5.4-mini", "openai/gpt-6.1-sol"],
    ],
  ])("keys decide: %j", (env, names) => {
    const opened = openModels({ env: env as Record<string, string> });
    expect(namesOf(opened)).toEqual(names);
    if (opened.models[0]?.provider !== "fairlead") expect(opened.models[0]?.price?.input).toBeGreaterThan(0);
  });

  it("keys may lie in the key file, and the environment goes first", () => {
    const keys = keyDirectory(`# mine\nexport OPENAI_API_KEY="${SECRET}"\n\nANTHROPIC_API_KEY=\n`);
    expect(openModels({ env: {}, keys })).toMatchObject({
      models: [{ provider: "openai" }],
      secrets: [SECRET],
    });
    expect(openModels({ env: { OPENAI_API_KEY: "other" }, keys }).secrets).toEqual(["other"]);
  });

  it("a key file that others can read, or that is none, is refused without a word of it", () => {
    const loose = keyDirectory(`OPENAI_API_KEY=${SECRET}`, 0o644);
    expect(() => openModels({ env: {}, keys: loose })).toThrow(/open to other users/);
    const wrong = keyDirectory(`# x\n${SECRET}`);
    expect(() => openModels({ env: {}, keys: wrong })).toThrow(/model-keys:2 is not NAME=value/);
    expect(() => openModels({ env: {}, keys: wrong })).not.toThrow(SECRET);
  });
});

describe("with a configuration", () => {
  const FILE = {
    models: [
      { name: "main", provider: "anthropic", model: "claude-opus-5-5" },
      {
        name: "local",
        provider: "compatible",
        model: "qwen3",
        base_url: "http://127.0.0.1:11434/v1",
        context_tokens: 32_000,
      },
      { name: "fake", provider: "scripted", price: { input: 1, output: 2 } },
    ],
    fallback_models: ["local", "scripted"],
  };

  it("models come in order, with names, prices and those that stand in", () => {
    const opened = open(FILE, { ANTHROPIC_API_KEY: SECRET });
    expect(namesOf(opened)).toEqual([
      "anthropic/claude-opus-5-5",
      "compatible/qwen3",
      "fairlead/scripted",
      "fairlead/scripted",
    ]);
    expect(opened.fallbacks).toEqual(["local", "fairlead/scripted"]);
    expect(opened.names.get("local")).toMatchObject({ id: "qwen3", contextTokens: 32_000 });
    expect(opened.models[0]).toMatchObject({ price: { input: 4, output: 20 }, contextTokens: 1_000_000 });
    expect(opened.names.get("fake")?.price).toEqual({ input: 1, output: 2 });
    // Nobody knows what is behind an address; what comes along is free, which is a price.
    expect(opened.names.get("local")?.price).toBeUndefined();
    expect(opened.models.at(-1)?.price).toEqual({ input: 0, output: 0 });
    expect(JSON.stringify(opened.models)).not.toContain(SECRET);
  });

  it("the default may be any of them, by either name", () => {
    expect(namesOf(open({ ...FILE, default_model: "local" }, { ANTHROPIC_API_KEY: "k" }))[0]).toBe(
      "compatible/qwen3",
    );
    expect(namesOf(open({ ...FILE, default_model: "compatible/qwen3" }, { ANTHROPIC_API_KEY: "k" }))[0]).toBe(
      "compatible/qwen3",
    );
  });

  it("a price of one's own goes first, and a dated name has the price of its model", () => {
    const own = { provider: "openai", model: "gpt-4o", price: { input: 9, output: 9 } };
    const dated = { provider: "anthropic", model: "claude-sonnet-4-5-20250929" };
    const { models } = open({ models: [own, dated] }, { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" });
    expect(models.map(({ price }) => price)).toEqual([
      { input: 9, output: 9 },
      { input: 3, output: 15, cached_input: 0.3, cache_write: 3.75 },
    ]);
  });

  it.each([
    [{ models: [{ provider: "openai", model: "x" }] }, /openai\/x has no key: OPENAI_API_KEY is not set/],
    [
      { models: [{ provider: "google", model: "x" }] },
      /GOOGLE_GENERATIVE_AI_API_KEY or GEMINI_API_KEY is not set/,
    ],
    [{ models: [{ provider: "openai", model: "x", api_key_env: "MINE" }] }, /MINE is not set/],
    [
      {
        models: [
          { provider: "compatible", model: "x", base_url: "http://h/v1", headers_env: { "x-org": "ORG" } },
        ],
      },
      /header x-org has no value: ORG/,
    ],
    [{ models: [{ provider: "scripted", script: "no-such.json" }] }, /no-such\.json/],
    [
      {
        models: [
          { provider: "scripted", name: "a" },
          { provider: "scripted", name: "a" },
        ],
      },
      /two models a/,
    ],
    [{ models: [{ provider: "scripted" }], default_model: "best" }, /no model best/],
    [{ models: [{ provider: "scripted" }], fallback_models: ["compatible/x"] }, /no model compatible\/x/],
  ])("what is missing is said at once: %j", (value, message) => {
    expect(() => open(value)).toThrow(message);
    expect(() => open(value)).toThrow(
      expect.objectContaining({ name: "ConfigError", hint: expect.stringMatching(/./) }),
    );
  });

  it.each([
    [{ provider: "compatible", model: "x" }, "base_url"],
    [{ provider: "compatible", model: "x", base_url: "file:///etc" }, "base_url"],
    [{ provider: "openai" }, "model"],
    [{ provider: "openai", model: "x", script: "s" }, "script"],
    [{ provider: "openai", model: "x", api_key_env: SECRET }, "api_key_env"],
    [{ provider: "openai", model: "x", api_key: SECRET }, ""],
    [{ provider: "mistral", model: "x" }, "provider"],
  ])("an entry that is none is refused: %j", (entry, where) => {
    const read = Config.safeParse({ models: [entry] });
    expect(read.error?.issues[0]?.path.join(".")).toBe(["models.0", where].filter(Boolean).join("."));
  });

  it.each([
    ["openai", "gpt-5", "OPENAI", "/v1"],
    ["anthropic", "claude-sonnet-5-5", "ANTHROPIC", ""],
  ])("%s is found where its own client would look for it", async (provider, model, prefix, path) => {
    const server = await serveModel({ script: { rules: [{ do: [{ say: "Here." }] }] } });
    onTestFinished(() => server.close());
    const env = { [`${prefix}_API_KEY`]: SECRET, [`${prefix}_BASE_URL`]: server.url + path };
    const { models } = open({ models: [{ provider, model }] }, env);
    if (models[0] === undefined) throw new Error("no model");
    expect(textOf(await ask(models[0], { messages: [{ role: "user", text: "?" }] }))).toBe("Here.");
  });

  it("a configured model answers over the wire, with its key and headers", async () => {
    const server = await serveModel({ script: { rules: [{ do: [{ say: "Yes." }] }] } });
    onTestFinished(() => server.close());
    const entry = {
      provider: "compatible",
      model: "any",
      base_url: `${server.url}/v1`,
      api_key_env: "MY_KEY",
    };
    const { models } = open({ models: [entry] }, { MY_KEY: SECRET });
    const [model] = models;
    if (model === undefined) throw new Error("no model");
    expect(textOf(await ask(model, { messages: [{ role: "user", text: "?" }] }))).toBe("Yes.");
  });
});

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { anthropicModel } from "../../src/models/anthropic.ts";
import { compatibleModel } from "../../src/models/compatible.ts";
import { googleModel } from "../../src/models/google.ts";
import { openaiModel } from "../../src/models/openai.ts";
import { type ModelServer, serveModel } from "../../src/models/serve/server.ts";
import type { Message, Model, ModelPart } from "../../src/ports/model.ts";
import { TOOLS, ask, callsIn, conversation, textOf, thinkingOf } from "./support.ts";
import { USAGE, WIRE } from "./wire-script.ts";

const KEY = { apiKey: "secret-key-1" };
const user = (text: string): readonly Message[] => [{ role: "user", text }];

/** Each provider against the API it speaks, all over real sockets. */
const PROVIDERS: Readonly<Record<string, (url: string) => Model>> = {
  openai: (url) => openaiModel({ ...KEY, id: "gpt-5", baseUrl: `${url}/v1` }),
  anthropic: (url) => anthropicModel({ ...KEY, id: "claude-sonnet-4-5", baseUrl: `${url}/v1` }),
  google: (url) => googleModel({ ...KEY, id: "gemini-2.5-flash", baseUrl: `${url}/v1beta` }),
  compatible: (url) => compatibleModel({ ...KEY, id: "any", baseUrl: `${url}/v1` }),
};

let server: ModelServer;
const bodies: Record<string, unknown>[] = [];
beforeAll(async () => {
  server = await serveModel({ script: WIRE, observe: (_, body) => bodies.push({ ...body }) });
});
afterAll(() => server.close());

const sent = (): string => JSON.stringify(bodies.at(-1));
const last = (parts: readonly ModelPart[]) => parts.at(-1);

describe.each(Object.keys(PROVIDERS))("%s", (name) => {
  const model = (): Model => PROVIDERS[name]?.(server.url) as Model;
  const fault = (text: string): Promise<unknown> =>
    ask(model(), { messages: user(text) }).then(
      (parts) => ({ parts }),
      (error: unknown) => error,
    );

  it("gives the text as it is, with usage and an end", async () => {
    const parts = await ask(model(), { messages: user("plain") });
    expect(textOf(parts)).toBe("Hello,  “Ada”.\nIt works.");
    const usage = parts.find((part) => part.type === "usage");
    const { reasoning_tokens, ...rest } = USAGE;
    // Anthropic counts reasoning as output and does not say how much it was.
    expect(usage).toEqual({ type: "usage", ...rest, ...(name === "anthropic" ? {} : { reasoning_tokens }) });
    expect(last(parts)).toEqual({ type: "finish", reason: "stop" });
  });

  it("says what was written into the provider's cache", async () => {
    if (name !== "anthropic") return;
    const usage = { input_tokens: 900, output_tokens: 5, cached_input_tokens: 300, cache_write_tokens: 500 };
    const writes = await serveModel({ script: { rules: [{ do: [{ usage }, { say: "Kept." }] }] } });
    onTestFinished(() => writes.close());
    const parts = await ask(PROVIDERS[name]?.(writes.url) as Model, { messages: user("plain") });
    expect(parts.find((part) => part.type === "usage")).toEqual({ type: "usage", ...usage });
  });

  it("shows thinking as it comes, before the text", async () => {
    const parts = await ask(model(), { messages: user("think"), think_level: "high" });
    expect(thinkingOf(parts)).toBe("Let me see.");
    expect(textOf(parts)).toBe("Seen.");
    expect(parts.findIndex((part) => part.type === "thinking")).toBeLessThan(
      parts.findIndex((part) => part.type === "text"),
    );
  });

  it("makes parallel calls, takes the results back, and gives what it was given", async () => {
    const { rounds } = await conversation(model(), "tools", (call) => ({
      text: call.name === "read_file" ? "words" : "a.md",
      failed: false,
    }));
    const [first = [], second = []] = rounds;
    expect(callsIn(first).map((call) => [call.name, JSON.parse(call.arguments)])).toEqual([
      ["read_file", { path: "a.md" }],
      ["list_files", {}],
    ]);
    expect(new Set(callsIn(first).map((call) => call.tool_call_id)).size).toBe(2);
    expect(last(first)).toEqual({ type: "finish", reason: "tool_calls" });
    expect(textOf(second)).toMatch(/^I got .*words.* and .*a\.md.*\.$/);
    if (name === "compatible") return;
    expect(first.some((part) => part.type === "provider_data")).toBe(true);
    // The signature, or the encrypted reasoning.
    expect(sent()).toContain(
      name === "openai" ? Buffer.from("Two reads.").toString("base64") : "c2NyaXB0ZWQ=",
    );
  });

  it("gives nothing back that another model gave", async () => {
    const { messages } = await conversation(model(), "tools", () => ({ text: "x", failed: false }));
    const foreign = messages.map((message) =>
      message.role === "assistant" ? { ...message, by: "other/model" } : message,
    );
    await ask(model(), { messages: [...foreign, ...user("plain")], tools: TOOLS });
    expect(sent()).toContain("Looking.");
    expect(sent()).not.toContain("c2NyaXB0ZWQ=");
    expect(sent()).not.toContain(Buffer.from("Two reads.").toString("base64"));
  });

  it("hands over arguments that are no JSON, and takes them back", async () => {
    const parts = await ask(model(), { messages: user("malformed"), tools: TOOLS });
    const [call] = callsIn(parts);
    // Google's arguments are objects: there they cannot be malformed.
    expect(call?.arguments).toContain(name === "google" ? "unparsable" : '{"path": "a.md');
    const { messages } = await conversation(model(), "malformed", () => ({ text: "no JSON", failed: true }));
    await ask(model(), { messages: [...messages.slice(0, 3), ...user("plain")], tools: TOOLS });
    expect(sent()).toContain("no JSON");
  });

  it("says why an answer ended early", async () => {
    expect(last(await ask(model(), { messages: user("long") }))).toEqual({
      type: "finish",
      reason: "length",
    });
    expect(last(await ask(model(), { messages: user("filtered") }))).toEqual({
      type: "finish",
      reason: "filter",
    });
  });

  it.each([
    ["limited", { kind: "rate_limit", status: 429, retryAfterMs: 1500 }],
    ["broken", { kind: "unavailable", status: 500 }],
    ["away", { kind: "unavailable", status: 503 }],
    ["overloaded", { kind: "unavailable", status: 529 }],
    ["locked", { kind: "auth", status: 401 }],
    ["wrong", { kind: "refused", status: 404 }],
    ["midway", { kind: "unavailable" }],
    ["cut at once", { kind: "unavailable" }],
    ["cut", { kind: "unavailable" }],
    ["garbage", { kind: "invalid" }],
    ["strange", { kind: "invalid" }],
  ])("meets a fault: %s", async (text, expected) => {
    const error = await fault(text);
    expect(error).toMatchObject({ name: "ModelFault", ...expected });
    expect((error as Error).message).not.toContain(KEY.apiKey);
    expect((error as Error).cause).toBeUndefined();
  });

  it("makes no call of half a one", async () => {
    const parts: ModelPart[] = [];
    const stream = model().stream({ messages: user("half"), tools: TOOLS }, new AbortController().signal);
    const reading = (async () => {
      for await (const part of stream) parts.push(part);
    })();
    await reading.catch((error: unknown) => expect(error).toMatchObject({ kind: "unavailable" }));
    expect(callsIn(parts)).toEqual([]);
    expect(parts.some((part) => part.type === "finish")).toBe(false);
  });

  it("ends quietly when it is told to, and once nobody listens", async () => {
    const abort = new AbortController();
    const parts: ModelPart[] = [];
    for await (const part of model().stream({ messages: user("hang") }, abort.signal)) {
      parts.push(part);
      abort.abort();
    }
    expect(textOf(parts)).toBe("I");
    expect(await ask(model(), { messages: user("plain") }, AbortSignal.abort())).toEqual([]);
  });

  it("sends tools, system text and how much to think", async () => {
    const messages: readonly Message[] = [
      { role: "system", text: "Be brief." },
      { role: "user", text: "tell" },
      { role: "assistant", text: "" },
      { role: "system", text: "A late fact." },
      { role: "user", text: "plain" },
    ];
    await ask(model(), { messages, tools: TOOLS, think_level: "low", max_output_tokens: 5_000 });
    // Of every provider this is the most, thinking included: it is what was put aside.
    const limit = name === "anthropic" ? '"max_tokens":5000' : "5000";
    for (const text of ["Be brief.", "A late fact.", "web_fetch", limit]) expect(sent()).toContain(text);
    const levels: Readonly<Record<string, RegExp>> = {
      openai: /"reasoning":\{"effort":"low"/,
      anthropic: /"thinking":\{"type":"enabled","budget_tokens":\d+/,
      google: /"thinkingConfig":\{[^}]*"includeThoughts":true/,
      compatible: /"reasoning_effort":"low"/,
    };
    expect(sent()).toMatch(levels[name] ?? /never/);
  });

  it("thinks within what it is held to, and not at all where that is too little", async () => {
    if (name !== "anthropic") return;
    for (const max_output_tokens of [5_000, 20_000, 300]) {
      await ask(model(), { messages: user("plain"), think_level: "high", max_output_tokens });
      const { max_tokens, thinking } = bodies.at(-1) as {
        max_tokens: number;
        thinking: { type: string; budget_tokens: number };
      };
      expect(max_tokens).toBe(max_output_tokens);
      if (max_output_tokens === 300) expect(thinking).toEqual({ type: "disabled" });
      else expect(thinking.budget_tokens).toBeLessThan(max_output_tokens);
    }
    await ask(model(), { messages: user("plain"), think_level: "high" });
    expect((bodies.at(-1) as { max_tokens: number }).max_tokens).toBeGreaterThan(20_000);
  });

  it("says that nobody answers", async () => {
    const gone = await serveModel({ script: WIRE });
    await gone.close();
    const error = await ask(PROVIDERS[name]?.(gone.url) as Model, { messages: user("plain") }).catch(
      (e: unknown) => e,
    );
    expect(error).toMatchObject({ name: "ModelFault", kind: "unavailable", unsent: true });
  });
});

it("does not try again by itself", async () => {
  const once = await serveModel({ script: WIRE });
  const model = PROVIDERS["compatible"]?.(once.url) as Model;
  const messages = user("at first");
  await expect(ask(model, { messages })).rejects.toMatchObject({ status: 503 });
  await expect(ask(model, { messages })).rejects.toMatchObject({ status: 429 });
  expect(textOf(await ask(model, { messages }))).toBe("Now.");
  await once.close();
});

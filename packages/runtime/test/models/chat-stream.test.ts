import { type Server, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { compatibleModel } from "../../src/models/compatible.ts";
import type { ModelPart } from "../../src/ports/model.ts";

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  }
});

/** A model that answers as it is told, and how many connections were made to it. */
async function answering(answer: (response: ServerResponse) => void, status = 200, headers = {}) {
  let connections = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(status, { "content-type": "text/event-stream", ...headers });
      answer(response);
    });
  }).on("connection", () => void (connections += 1));
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const model = compatibleModel({ id: "m", baseUrl: `http://127.0.0.1:${port}/v1/` });
  return {
    connections: () => connections,
    async ask(signal = new AbortController().signal): Promise<ModelPart[]> {
      const parts: ModelPart[] = [];
      for await (const part of model.stream({ messages: [{ role: "user", text: "Hello" }] }, signal))
        parts.push(part);
      return parts;
    },
  };
}

const chunk = (delta: unknown, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const sse = (...events: unknown[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
const USAGE = { choices: [], usage: { prompt_tokens: 3, completion_tokens: 5 } };
const END = [chunk({}, "stop"), USAGE];
const SAID = sse(
  chunk({ role: "assistant", content: "" }),
  chunk({ content: "“ä” " }),
  chunk({ content: 'a "b"\n' }),
  ...END,
);
const textOf = (parts: readonly ModelPart[]): string =>
  parts.map((part) => (part.type === "text" ? part.text : "")).join("");
const whole = [
  expect.objectContaining({ type: "usage", input_tokens: 3, output_tokens: 5 }),
  { type: "finish", reason: "stop" },
];

describe("an answer of chat completions", () => {
  it.each([
    ["at once", [`${SAID}data: [DONE]\n\n`]],
    ["byte by byte", Array.from(Buffer.from(`${SAID}data: [DONE]\n\n`), (byte) => Uint8Array.of(byte))],
    [
      "with other line ends, byte by byte",
      Array.from(Buffer.from(`${SAID}data: [DONE]\n\n`.replaceAll("\n", "\r\n")), (byte) =>
        Uint8Array.of(byte),
      ),
    ],
    ["with comments, and without a last word", [`: here I am\n\n${SAID}`]],
    ["with names of events and no space", [`event: x\n${SAID.replaceAll("data: ", "data:")}`]],
    ["with its last event not closed", [SAID.trimEnd()]],
  ])("is the same when it comes %s", async (_, pieces) => {
    const { ask } = await answering((response) => {
      void (async () => {
        for (const piece of pieces) {
          response.write(piece);
          if (pieces.length > 1) await new Promise((resolve) => setImmediate(resolve));
        }
        response.end();
      })();
    });
    const parts = await ask();
    expect(textOf(parts)).toBe('“ä” a "b"\n');
    expect(parts.slice(-2)).toEqual(whole);
  });

  it("has its thoughts, its words in parts, and its calls in the order in which they began", async () => {
    const call = (index: number, more: object) => chunk({ tool_calls: [{ index, ...more }] });
    const { ask } = await answering((response) =>
      response.end(
        sse(
          chunk({ reasoning: "Hm" }),
          chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text: "m." }] }] }),
          chunk({ content: [{ type: "text", text: "So: " }, { type: "image" }] }),
          call(0, { id: "x", function: { name: "f", arguments: "" } }),
          call(0, { function: { arguments: '{"a"' } }),
          call(1, { id: "y", function: { name: "g", arguments: "{}" } }),
          call(0, { function: { arguments: ":1}" } }),
          chunk({}, "tool_calls"),
          USAGE,
        ),
      ),
    );
    expect(await ask()).toEqual([
      { type: "thinking", text: "Hm" },
      { type: "thinking", text: "m." },
      { type: "text", text: "So: " },
      { type: "tool_call", tool_call_id: "x", name: "f", arguments: '{"a":1}' },
      { type: "tool_call", tool_call_id: "y", name: "g", arguments: "{}" },
      expect.objectContaining({ type: "usage" }),
      { type: "finish", reason: "tool_calls" },
    ]);
  });

  it.each([
    ["breaks off in a word", sse(chunk({ content: "a" })), "unavailable"],
    ["is no JSON", 'data: {"choices": [}\n\n', "invalid"],
    ["is something else", 'data: {"hello": 1}\n\n', "invalid"],
    ["is no object", "data: 7\n\n", "invalid"],
    ["is nothing", "", "unavailable"],
    ["says an error", sse({ error: { message: "Too many.", code: 429 } }), "rate_limit"],
    [
      "has a call without a name",
      sse(chunk({ tool_calls: [{ index: 0, id: "x" }] }, "tool_calls")),
      "invalid",
    ],
  ])("is a fault where it %s", async (_, text, kind) => {
    const { ask } = await answering((response) => response.end(text));
    await expect(ask()).rejects.toMatchObject({ kind });
  });

  it.each([
    [401, '{"error":{"message":"Who are you?"}}', "auth", "Who are you?"],
    [500, "<html>", "unavailable", "Internal Server Error"],
    [400, '{"message":"This exceeds the context window"}', "too_long", "This exceeds the context window"],
    [404, '{"error":"no such model"}', "refused", "no such model"],
  ])("is refused with %d", async (status, body, kind, message) => {
    const { ask } = await answering((response) => response.end(body), status);
    await expect(ask()).rejects.toMatchObject({ kind, status, message });
  });

  it("is asked again when its server says first, where it says so twice", async () => {
    const { ask } = await answering((response) => response.end(), 429, { "retry-after": ["3", "5"] });
    await expect(ask()).rejects.toMatchObject({ kind: "rate_limit", retryAfterMs: 3_000 });
  });

  it("leaves its connection to the next, also where its end comes late", async () => {
    const { ask, connections } = await answering((response) => {
      response.write(`${SAID}data: [DONE]\n\n`);
      setTimeout(() => response.end(), 20);
    });
    for (let i = 0; i < 3; i++) expect(textOf(await ask())).toContain("a");
    expect(connections()).toBe(1);
  });

  it("is whole where its server never ends it", async () => {
    const { ask } = await answering((response) => void response.write(`${SAID}data: [DONE]\n\n`));
    expect((await ask()).slice(-2)).toEqual(whole);
  });

  it("comes to its end where more of it comes at once than is taken at once", async () => {
    const { ask } = await answering((response) => {
      // Each with something of its own, so that no two are made one.
      for (let at = 0; at < 2_000; at++)
        response.write(sse({ ...chunk({ content: "w".repeat(99) }), obfuscation: String(at) }));
      response.end(sse(...END));
    });
    const parts = await ask();
    expect(textOf(parts)).toHaveLength(2_000 * 99);
    expect(parts.slice(-2)).toEqual(whole);
  });

  it("is given up when nobody wants it any more", async () => {
    const closed = Promise.withResolvers<void>();
    const { ask } = await answering((response) => {
      response.on("close", closed.resolve).write(sse(chunk({ content: "a" })));
      setTimeout(() => stop.abort(), 20);
    });
    const stop = new AbortController();
    expect(textOf(await ask(stop.signal))).toBe("a");
    await closed.promise;
  });
});

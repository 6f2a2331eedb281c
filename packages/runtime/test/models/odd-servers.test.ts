import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
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

async function serving(answer: (response: ServerResponse, request: IncomingMessage, body: string) => void) {
  const server = createServer((request, response) => {
    let body = "";
    request
      .setEncoding("utf8")
      .on("data", (some: string) => (body += some))
      .on("end", () => answer(response, request, body));
  });
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function ask(url: string): Promise<ModelPart[]> {
  const model = compatibleModel({ id: "m", baseUrl: `${url}/v1`, apiKey: "secret" });
  const messages = [{ role: "user" as const, text: "Hello" }];
  const parts: ModelPart[] = [];
  for await (const part of model.stream({ messages }, new AbortController().signal)) parts.push(part);
  return parts;
}

const asked = async (...events: unknown[]): Promise<ModelPart[]> =>
  ask(await serving((response) => response.end(sse(...events))));

const chunk = (delta: unknown, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const sse = (...events: unknown[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
const SAID = sse(chunk({ content: "Hello" }), chunk({}, "stop"));
const textOf = (parts: readonly ModelPart[]): string =>
  parts.map((part) => (part.type === "text" ? part.text : "")).join("");

describe("calls of servers that do it their own way", () => {
  const call = (name: string | undefined, args: string | undefined, more: object = {}) => ({
    ...more,
    function: { name, arguments: args },
  });
  const one = [{ id: "x", name: "f", arguments: '{"a":1}' }];
  const two = [...one, { id: "y", name: "g", arguments: '{"b":2}' }];
  const made = (calls: readonly { name: string; arguments: string }[]) =>
    calls.map((each) => ({ ...each, id: expect.stringMatching(/./) as string }));

  it.each([
    ["no index and no id", [call("f", '{"a":1}'), call("g", '{"b":2}')], made(two)],
    ["empty ids", [call("f", '{"a":1}', { id: "" }), call("g", '{"b":2}', { id: "" })], made(two)],
    [
      "no index, in pieces",
      [call("f", '{"a"', { id: "x" }), call(undefined, ":1}"), call("g", '{"b":2}', { id: "y" })],
      two,
    ],
    [
      "one index for all",
      [call("f", '{"a":1}', { index: 0, id: "x" }), call("g", '{"b":2}', { index: 0, id: "y" })],
      two,
    ],
    [
      "one index for all, in pieces",
      [
        call("f", "", { index: 0, id: "x" }),
        call(undefined, '{"a":1}', { index: 0 }),
        call("g", "", { index: 0, id: "y" }),
        call(undefined, '{"b":2}', { index: 0 }),
      ],
      two,
    ],
    [
      "one index and no id",
      [call("f", '{"a":1}', { index: 0 }), call("g", '{"b":2}', { index: 0 })],
      made(two),
    ],
    [
      "one id for all",
      [call("f", '{"a":1}', { index: 0, id: "x" }), call("g", '{"b":2}', { index: 1, id: "x" })],
      [one[0], ...made(two.slice(1))],
    ],
    [
      "a name that is empty at first",
      [call("", "", { index: 0, id: "x" }), call("f", '{"a":1}', { index: 0 })],
      one,
    ],
    [
      "names and ids that are empty later",
      [call("f", '{"a"', { index: 0, id: "x" }), call("", ":1}", { index: 0, id: "" })],
      one,
    ],
    [
      "its name in every piece",
      [call("f", '{"a"', { index: 0, id: "x" }), call("f", ":1}", { index: 0, id: "x" })],
      one,
    ],
    [
      "another id in every piece",
      [call("f", '{"a"', { index: 0, id: "x" }), call("f", ":1}", { index: 0, id: "z" })],
      one,
    ],
  ])("with %s", async (_, pieces, calls) => {
    const parts = await asked(
      ...pieces.map((piece) => chunk({ tool_calls: [piece] })),
      chunk({}, "tool_calls"),
    );
    const found = parts.flatMap((part) =>
      part.type === "tool_call"
        ? [{ id: part.tool_call_id, name: part.name, arguments: part.arguments }]
        : [],
    );
    expect(found).toEqual(calls);
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  });
});

describe("an answer of a server that does it its own way", () => {
  it.each([
    [
      "beside it in the choice",
      (text: string) => ({ choices: [{ index: 0, text, delta: { content: text } }] }),
    ],
    ["outside of it", (text: string) => ({ content: "", choices: [{ index: 0, delta: { content: text } }] })],
  ])("has every word where there is a text %s too", async (_, event) => {
    const said = ["ha", "ha", "ha", "!"].map((text): unknown => event(text));
    expect(textOf(await asked(...said, chunk({}, "stop")))).toBe("hahaha!");
  });

  it.each([
    ["words that are none", chunk({ content: { text: "Hello" } })],
    [
      "arguments that are none",
      chunk({ tool_calls: [{ index: 0, id: "x", function: { name: "f", arguments: { a: 1 } } }] }),
    ],
  ])("is a fault with %s, and not an answer without them", async (_, event) => {
    await expect(asked(event, chunk({}, "stop"))).rejects.toMatchObject({ kind: "invalid" });
  });

  it("is unpacked where it comes packed, as it comes", async () => {
    const url = await serving((response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(SAID));
    });
    expect(textOf(await ask(url))).toBe("Hello");
    const refusing = await serving((response) => {
      const body = gzipSync('{"error":{"message":"No such model."}}');
      response.writeHead(404, { "content-encoding": "gzip" }).end(body);
    });
    await expect(ask(refusing)).rejects.toMatchObject({ kind: "refused", message: "No such model." });
    const broken = await serving((response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(SAID).subarray(0, 30));
    });
    await expect(ask(broken)).rejects.toMatchObject({ kind: "unavailable" });
  });
});

describe("a server that sends its callers on", () => {
  it("is followed within itself, with all that was said", async () => {
    const seen: [url: string | undefined, key: string | undefined, body: string][] = [];
    const url = await serving((response, request, body) => {
      seen.push([request.url, request.headers.authorization, body]);
      if (request.url === "/there") response.end(SAID);
      else response.writeHead(307, { location: "/there" }).end();
    });
    expect(textOf(await ask(url))).toBe("Hello");
    expect(seen).toEqual([
      ["/v1/chat/completions", "Bearer secret", expect.stringContaining("Hello")],
      ["/there", "Bearer secret", seen[0]?.[2]],
    ]);
  });

  it("is not followed to another, nor for ever", async () => {
    let elsewhere = 0;
    const other = await serving((response) => {
      elsewhere += 1;
      response.end(SAID);
    });
    const url = await serving((response) => response.writeHead(308, { location: `${other}/v1` }).end());
    await expect(ask(url)).rejects.toMatchObject({ message: expect.stringContaining(other) as string });
    expect(elsewhere).toBe(0);
    const round = await serving((response) => response.writeHead(307, { location: "/" }).end());
    await expect(ask(round)).rejects.toMatchObject({ kind: "unavailable" });
  });

  it("is told who asks", async () => {
    let agent: string | undefined;
    const url = await serving((response, { headers }) => {
      agent = headers["user-agent"];
      response.end(SAID);
    });
    await ask(url);
    expect(agent).toBe("fairlead");
  });
});

import { FairleadError } from "@fairlead/contract";
import { afterEach, describe, expect, expectTypeOf, test } from "vitest";
import { createClient, ServerError, ServerUnreachable } from "../src/index.ts";
import { type Answer, json, serve } from "./support.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function clientOf(answer: Answer, options: { token?: string; path?: string } = {}) {
  const server = await serve(answer);
  closing.push(server.close);
  const client = createClient({
    url: `${server.url}${options.path ?? ""}`,
    ...(options.token ? { token: options.token } : {}),
  });
  return { client, ...server };
}

describe("a call", () => {
  test("is typed and built by the table", async () => {
    const seen: unknown[] = [];
    const { client, requests } = await clientOf(
      (request, response) => {
        const { authorization, "idempotency-key": key } = request.headers;
        seen.push({ authorization, key, body: JSON.parse(request.text || "null") });
        json(response, 202, { session_id: "ses_1", turn_id: "trn_1", seq: 3 });
      },
      { token: "flt_x", path: "/prefix/" },
    );
    const started = await client.call("startTurn", {
      params: { id: "a:b" },
      body: { input: "hi" },
      idempotencyKey: "k1",
    });
    expectTypeOf(started.seq).toEqualTypeOf<number>();
    expect(started).toEqual({ session_id: "ses_1", turn_id: "trn_1", seq: 3 });
    expect(requests).toEqual(["POST /prefix/chat/sessions/a%3Ab/turns"]);
    expect(seen).toEqual([{ authorization: "Bearer flt_x", key: "k1", body: { input: "hi" } }]);
  });

  test("writes its query as text and leaves out what was not given", async () => {
    const { client, requests } = await clientOf((_, response) =>
      json(response, 200, { events: [], next: null, head_seq: 0 }),
    );
    await client.call("listEvents", {
      params: { id: "ses_1" },
      query: { after: 7, types: ["a", "b"], tier: undefined },
    });
    expect(requests).toEqual(["GET /sessions/ses_1/events?after=7&types=a%2Cb"]);
  });

  test("gives bytes, text and nothing where the table says so", async () => {
    const { client } = await clientOf((request, response) => {
      if (request.method === "DELETE") response.writeHead(204).end();
      else response.end("abc");
    });
    expect(await client.call("getMetrics")).toBe("abc");
    expect(await client.call("getBlob", { params: { id: "ses_1", sha256: "0".repeat(64) } })).toEqual(
      new Uint8Array([97, 98, 99]),
    );
    expect(await client.call("revokeToken", { params: { id: "tok_1" } })).toBeUndefined();
  });

  test.each([".", "..", ""])("refuses the name %j, which no URL can carry", async (id) => {
    const { client, requests } = await clientOf((_, response) => json(response, 200, {}));
    await expect(client.call("getSession", { params: { id } })).rejects.toMatchObject({ code: "invalid_id" });
    expect(requests).toEqual([]);
  });

  test("that is called off rejects with the signal's reason", async () => {
    const { client } = await clientOf(() => {});
    const stop = new AbortController();
    const call = client.call("getHealth", { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
  });
});

describe("an error", () => {
  const body = {
    code: "session_not_found",
    message: "No.",
    hint: "Look.",
    request_id: "req_1",
    details: { a: 1 },
  };

  test("of the server keeps its code, hint, request id and details", async () => {
    const { client } = await clientOf((_, response) => json(response, 404, body));
    const error = await client
      .call("getSession", { params: { id: "ses_1" } })
      .catch((error: unknown) => error);
    expect(error).toBeInstanceOf(FairleadError);
    expect(error).toBeInstanceOf(ServerError);
    expect(error).toMatchObject({
      code: "session_not_found",
      message: "No.",
      hint: "Look.",
      requestId: "req_1",
      status: 404,
      details: { a: 1 },
    });
  });

  test("with a code of a newer server is carried", async () => {
    const { client } = await clientOf((_, response) =>
      json(response, 418, { ...body, code: "teapot" }, { "retry-after": "7" }),
    );
    await expect(client.call("getHealth")).rejects.toMatchObject({
      code: "teapot",
      status: 418,
      hint: "Look.",
      retryAfterMs: 7_000,
    });
  });

  test.each([
    ["a proxy's page", (response: Parameters<Answer>[1]) => response.writeHead(502).end("<html>")],
    ["JSON of something else", (response: Parameters<Answer>[1]) => json(response, 500, { error: "x" })],
    ["a page with status 200", (response: Parameters<Answer>[1]) => response.end("<html>")],
  ])("from %s is not taken for ours", async (_, answer) => {
    const { client } = await clientOf((_request, response) => void answer(response));
    const error = await client.call("getHealth").catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ServerUnreachable);
    expect(error).toMatchObject({
      code: "server_unreachable",
      message: expect.stringContaining("not as Fairlead does"),
    });
  });

  test("of the network has a stable code", async () => {
    const { client, close } = await clientOf(() => {});
    await close();
    await expect(client.call("getHealth")).rejects.toMatchObject({
      code: "server_unreachable",
      status: null,
    });
  });

  test("is told for an answer that was cut off", async () => {
    const { client } = await clientOf((_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("{");
      setTimeout(() => response.destroy(), 10);
    });
    await expect(client.call("getHealth")).rejects.toMatchObject({ code: "server_unreachable" });
  });

  test("is made of a redirect, so that the token follows none", async () => {
    const { client } = await clientOf(
      (_, response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
      { token: "flt_x" },
    );
    await expect(client.call("getHealth")).rejects.toMatchObject({ code: "server_unreachable" });
  });
});

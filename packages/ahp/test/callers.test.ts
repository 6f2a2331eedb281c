import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";

import { eventOf, HELLO } from "../src/conformance/samples/messages.ts";
import type { ServeHttpOptions } from "../src/http/index.ts";
import { serveHttp } from "../src/http/index.ts";
import type { AhpServer } from "../src/index.ts";
import { connect, createServer } from "../src/index.ts";
import { serveWebSocket, websocket } from "../src/websocket/index.ts";

const ALLOW = { decision: "allow" } as const;
const AGENTS: Record<string, string> = { "secret-a": "a", "secret-b": "b" };
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** Agents may show their secret either way. */
const authenticate = (shown: { token: string | undefined; apiKey: string | undefined }) =>
  AGENTS[shown.token ?? shown.apiKey ?? ""] ?? null;

interface Posted {
  readonly status: number;
  readonly body: { result?: unknown; error?: { code: number; data?: { code: string } } };
}

type Post = (headers: Record<string, string>, method: string, params: unknown) => Promise<Posted>;

async function serve(server: AhpServer<string>, options: ServeHttpOptions<string> = {}): Promise<Post> {
  const served = await serveHttp(server, { authenticate, ...options });
  cleanups.push(served.close);
  return async (headers, method, params) => {
    const response = await fetch(served.url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: "1", method, params }),
    });
    return { status: response.status, body: (await response.json()) as Posted["body"] };
  };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe("over HTTP a caller", () => {
  const whoami = createServer<string>({ query: (_query, { context }) => ({ answer: context }) });
  const query = { session_id: "s", agent_id: "a", query_type: "whoami", payload: {} };

  it("is who was let in: a placeholder beside the credential shares no handshake", async () => {
    const post = await serve(whoami);
    const placeholder = { "x-api-key": "none" };
    await post({ ...bearer("secret-a"), ...placeholder }, "ahp/handshake", HELLO);
    const other = await post({ ...bearer("secret-b"), ...placeholder }, "ahp/query", query);
    expect(other.body.error?.data?.code).toBe("handshake_required");
    const same = await post(bearer("secret-a"), "ahp/query", query);
    expect(same.body.result).toEqual({ answer: "a" });
  });

  it("is let in by its API key beside a token meant for somebody else", async () => {
    const post = await serve(whoami);
    const headers = { "x-api-key": "secret-b", ...bearer("of-a-proxy") };
    await post(headers, "ahp/handshake", HELLO);
    expect((await post(headers, "ahp/query", query)).body.result).toEqual({ answer: "b" });
  });

  it("is known by its token when both are good", async () => {
    const post = await serve(whoami);
    const headers = { "x-api-key": "secret-b", ...bearer("secret-a") };
    await post(headers, "ahp/handshake", HELLO);
    expect((await post(headers, "ahp/query", query)).body.result).toEqual({ answer: "a" });
  });

  it("is kept out when neither is good", async () => {
    const post = await serve(whoami);
    const headers = { "x-api-key": "x", ...bearer("y") };
    expect((await post(headers, "ahp/handshake", HELLO)).status).toBe(401);
  });
});

describe("one caller's share", () => {
  /** Answers when told to; questions with `now` at once. */
  function holding() {
    const held = Promise.withResolvers<typeof ALLOW>();
    let asked = 0;
    const server = createServer<string>({
      decide: ({ payload }) => {
        if ((payload as { now?: boolean }).now === true) return ALLOW;
        asked += 1;
        return held.promise;
      },
    });
    return { server, release: () => held.resolve(ALLOW), asked: () => asked };
  }
  const now = eventOf("pre_action", { payload: { now: true } });

  async function until(condition: () => boolean): Promise<void> {
    const end = performance.now() + 5_000;
    while (!condition() && performance.now() < end) await sleep(5);
    expect(condition()).toBe(true);
  }

  it("of requests is its own: with it held, another caller is served", async () => {
    const { server, release, asked } = holding();
    const post = await serve(server, { maxInFlightPerCaller: 3, maxInFlight: 100 });
    for (const secret of ["secret-a", "secret-b"]) await post(bearer(secret), "ahp/handshake", HELLO);
    const held = Array.from({ length: 3 }, () =>
      post(bearer("secret-a"), "ahp/event", eventOf("pre_action")),
    );
    await until(() => asked() === 3);
    const over = await post({ ...bearer("secret-a"), "x-api-key": "another" }, "ahp/event", now);
    expect(over.status).toBe(503);
    expect(over.body.error?.data?.code).toBe("overloaded");
    expect((await post(bearer("secret-b"), "ahp/event", now)).body.result).toEqual(ALLOW);
    release();
    for (const { body } of await Promise.all(held)) expect(body.result).toEqual(ALLOW);
    expect((await post(bearer("secret-a"), "ahp/event", now)).body.result).toEqual(ALLOW);
  });

  it("is smaller than what everybody has together, unless told otherwise", async () => {
    const { server, release, asked } = holding();
    const post = await serve(server);
    for (const secret of ["secret-a", "secret-b"]) await post(bearer(secret), "ahp/handshake", HELLO);
    let refused = 0;
    const held = Array.from({ length: 520 }, async () => {
      const { status } = await post(bearer("secret-a"), "ahp/event", eventOf("pre_action"));
      refused += Number(status === 503);
    });
    await until(() => asked() === 512 && refused === 8);
    expect((await post(bearer("secret-b"), "ahp/event", now)).body.result).toEqual(ALLOW);
    release();
    await Promise.all(held);
    expect(refused).toBe(8);
  });

  it("of bytes is its own too", async () => {
    const { server, release, asked } = holding();
    const post = await serve(server, { maxHeldBytesPerCaller: 100_000 });
    for (const secret of ["secret-a", "secret-b"]) await post(bearer(secret), "ahp/handshake", HELLO);
    const large = eventOf("pre_action", { payload: { text: "x".repeat(60_000) } });
    const held = post(bearer("secret-a"), "ahp/event", large);
    await until(() => asked() === 1);
    expect((await post(bearer("secret-a"), "ahp/event", large)).status).toBe(503);
    const other = post(bearer("secret-b"), "ahp/event", large);
    await until(() => asked() === 2);
    release();
    expect((await held).status).toBe(200);
    expect((await other).status).toBe(200);
    expect((await post(bearer("secret-a"), "ahp/event", large)).status).toBe(200);
  });
});

describe("over WebSocket a caller", () => {
  it("that is kept out hears so at once, where its WebSocket can tell", async () => {
    let asked = 0;
    const served = await serveWebSocket(createServer<string>({}), {
      authenticate: () => {
        asked += 1;
        return null;
      },
    });
    cleanups.push(served.close);
    const way = websocket({ url: served.url, auth: { token: "x" }, WebSocket: WebSocket as never });
    const connecting = connect(way, { sessionId: "s", agentId: "a", maxRetries: 3, retryDelayMs: 1 });
    await expect(connecting).rejects.toMatchObject({ code: "unauthorized" });
    expect(asked).toBe(1);
  });

  it("is let in by its API key beside a token meant for somebody else", async () => {
    const served = await serveWebSocket(createServer<string>({ decide: () => ALLOW }), { authenticate });
    cleanups.push(served.close);
    const socket = new WebSocket(`${served.url}?token=of-a-proxy&api_key=secret-a`);
    await once(socket, "open");
    socket.terminate();
  });
});

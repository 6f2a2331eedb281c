import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Logger } from "../../src/server/config.ts";
import { createUpgrades } from "../../src/server/upgrades.ts";
import { stand } from "../harness/support.ts";
import { bearer, dialRaw, handshake, pingUnread, type Raw, request } from "./raw.ts";
import { type Site, startSite } from "./support.ts";

const EMPTY = { "Content-Length": "0" };

/** Resolves when connections that are gone no longer count. */
async function room(site: Site): Promise<void> {
  while ((await site.call("/healthz", { as: null })).status === 503);
}

test.each(["/events/stream", "/ahp"])(
  "an upgrade of %s sent with other requests is answered after them, and ends nothing",
  async (path) => {
    const { site } = await stand();
    const { port } = site;
    const first = [
      request(port, "GET /sessions"),
      request(port, "GET /healthz"),
      request(port, "POST /sessions", { Expect: "wonders", ...EMPTY }),
    ];
    for (const before of first) {
      const raw = await dialRaw(port, before + handshake(port, path, { Connection: "Upgrade, close" }));
      await once(raw.socket, "end");
      expect(raw.statuses().length).toBeGreaterThan(0);
      expect(raw.statuses()).not.toContain(101);
    }
    const twice = await dialRaw(port, handshake(port, path) + handshake(port, path));
    await once(twice.socket, "end");
    expect(twice.statuses()).toEqual([401]);
    expect((await site.call("/healthz")).status).toBe(200);
    expect(site.logged.filter(({ level }) => level === "error")).toEqual([]);
  },
);

test.each([
  ["a stream", "/events/stream", 200, "text/event-stream"],
  ["the harness", "/ahp", 405, ""],
])(
  "while an earlier answer is not there, %s waits its turn and is answered as any other request",
  async (_name, path, status, type) => {
    const { site } = await stand();
    const { sessions } = site.runtime.services;
    const { list } = sessions;
    const { promise: asked, resolve: arrived } = Promise.withResolvers<void>();
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    sessions.list = async (...args) => {
      arrived();
      await gate;
      return list(...args);
    };
    const as = bearer(site.tokens.viewer);
    const raw = await dialRaw(
      site.port,
      request(site.port, "GET /sessions", as) +
        handshake(site.port, `${path}${path === "/ahp" ? `?token=${site.tokens.agent}` : ""}`, as),
    );
    await asked;
    // Long enough for a whole exchange on another connection.
    await site.call("/healthz");
    expect(raw.text()).toBe("");
    release();
    await raw.until(() => raw.statuses().length === 2 && raw.text().includes(type));
    expect(raw.statuses()).toEqual([200, status]);
  },
);

test("on a connection that was answered before, a socket is opened", async () => {
  const site = await startSite();
  onTestFinished(() => site.close());
  const raw = await dialRaw(site.port, request(site.port, "GET /healthz"));
  await raw.until((text) => text.includes("}"));
  raw.socket.write(handshake(site.port, "/events/stream", bearer(site.tokens.viewer)));
  await raw.until((text) => text.includes("retry: 1000"));
  expect(raw.statuses()).toEqual([200, 101]);
});

test("refused ones let go of their connection, though the peer does not, and hold up no stop", async () => {
  const { site, close } = await stand({ config: { limits: { connections: 4 } } });
  const { port } = site;
  const refused: [string, Record<string, string>, number][] = [
    ["/events/stream", {}, 401],
    ["/nowhere/stream", {}, 404],
    ["/events/stream", { Host: "evil.example" }, 403],
    ["/events/stream", { "Sec-WebSocket-Version": "1", ...bearer(site.tokens.viewer) }, 400],
    ["/ahp", {}, 401],
    ["/ahp?token=wrong", {}, 401],
    ["/ahp", { Host: "evil.example" }, 403],
    ["/ahp", { Origin: "http://evil.example" }, 403],
    [`/ahp?token=${site.tokens.agent}`, { "Sec-WebSocket-Version": "1" }, 400],
  ];
  for (const [path, headers, status] of refused) {
    const raw = await dialRaw(port, handshake(port, path, headers));
    await once(raw.socket, "end");
    expect([path, raw.statuses()]).toEqual([path, [status]]);
    await room(site);
  }
  await dialRaw(port, handshake(port, "/events/stream"));
  await dialRaw(port, handshake(port, "/ahp"));
  await dialRaw(port, handshake(port, "/sessions"));
  await close();
});

test("what is still asked for when the server stops is cut after the time that was set", async () => {
  const site = await startSite({ config: { limits: { stopMs: 50 } } });
  const { sessions } = site.runtime.services;
  const { promise: asked, resolve: arrived } = Promise.withResolvers<void>();
  sessions.resolve = () => {
    arrived();
    return new Promise(() => {});
  };
  const path = `/sessions/${await site.session()}/events/stream`;
  const raw = await dialRaw(site.port, handshake(site.port, path, bearer(site.tokens.viewer)));
  await asked;
  const gone = once(raw.socket, "end");
  await site.close();
  await gone;
  expect(raw.text()).toBe("");
});

test("who offers another protocol is answered as if it had not, body and all", async () => {
  const { site } = await stand();
  const { port } = site;
  const h2c = { Connection: "Upgrade, HTTP2-Settings", Upgrade: "h2c", "HTTP2-Settings": "AAMAAABkAAQAAP__" };
  const socket = { Connection: "Upgrade", Upgrade: "websocket" };
  const as = bearer(site.tokens.admin);
  const ask = async (line: string, headers: Record<string, string>, body?: string): Promise<Raw> => {
    const json = { "Content-Type": "application/json", "Content-Length": String(body?.length ?? 0) };
    const raw = await dialRaw(
      port,
      request(port, line, { ...as, ...headers, ...(body === undefined ? {} : json) }),
    );
    if (headers["Expect"] !== undefined) await raw.until((text) => text.includes("100 Continue"));
    raw.socket.write(body ?? "");
    await once(raw.socket, "end");
    return raw;
  };
  for (const offer of [h2c, socket]) {
    expect((await ask("GET /sessions", offer)).statuses()).toEqual([200]);
    expect((await ask("GET /healthz?x=/stream", offer)).statuses()).toEqual([200]);
    expect((await ask("POST /events/stream", offer, "")).statuses()).toEqual([405]);
    expect((await ask("GET /nowhere", offer)).text()).toContain('"code":"not_found"');
    expect((await ask("POST /ahp", offer, "{}")).text()).toContain('"jsonrpc":"2.0"');
    const body = JSON.stringify({ title: "asked with an offer" });
    const made = await ask("POST /chat/sessions", { ...offer, Expect: "100-continue" }, body);
    expect(made.statuses()).toEqual([100, 201]);
    expect(made.text()).toContain('"title":"asked with an offer"');
  }
  const stream = await dialRaw(port, request(port, "GET /events/stream", { ...as, ...h2c }));
  await stream.until((text) => text.includes("retry: 1000"));
  expect(stream.statuses()).toEqual([200]);
});

test("what comes with such an offer and is not heard is not answered with what comes after it", async () => {
  const site = await startSite();
  onTestFinished(() => site.close());
  const offer = request(site.port, "GET /healthz", { Connection: "Upgrade", Upgrade: "h2c" });
  const raw = await dialRaw(site.port, offer + request(site.port, "GET /nowhere"));
  await once(raw.socket, "end");
  expect(raw.statuses()).toEqual([200]);
  expect(raw.text()).toContain("Connection: close");
});

test("whatever goes wrong while one is answered ends that connection alone, and is reported", async () => {
  const reported: unknown[] = [];
  const logger = { error: (entry: unknown) => void reported.push(entry) } as unknown as Logger;
  const upgrades = createUpgrades({ logger });
  const server = createServer({ shouldUpgradeCallback: upgrades.wanted });
  const failures = [
    () => {
      throw new Error("broken");
    },
    // What two answers on one connection look like.
    ({ socket }: { socket: never }, response: ServerResponse) => response.assignSocket(socket),
  ];
  upgrades.bind({ server, routing: ((...args: [never, never]) => failures.shift()?.(...args)) as never });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  while (failures.length > 0) {
    const raw = await dialRaw(port, handshake(port, "/events/stream"));
    await once(raw.socket, "end");
    expect(raw.text()).toBe("");
  }
  expect(reported).toMatchObject([
    { err: { message: "broken" } },
    { err: { code: "ERR_HTTP_SOCKET_ASSIGNED" } },
  ]);
});

test("an agent that pings and does not read is owed one answer, not each", async () => {
  const { site } = await stand();
  const agent = await dialRaw(site.port, handshake(site.port, `/ahp?token=${site.tokens.agent}`));
  await agent.until((text) => text.endsWith("\r\n\r\n"));
  expect(agent.statuses()).toEqual([101]);
  const { sent, heard } = await pingUnread(agent);
  expect(heard).toBeLessThan(sent / 2);
});

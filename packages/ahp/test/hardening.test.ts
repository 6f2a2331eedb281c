import { once } from "node:events";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { connect as connectTcp } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";

import { unixFake } from "../src/conformance/fakes/line-fakes.ts";
import { answering, resultOf } from "../src/conformance/fakes/fake.ts";
import { httpFake } from "../src/conformance/fakes/http-fake.ts";
import { websocketFake } from "../src/conformance/fakes/websocket-fake.ts";
import { eventOf, HELLO } from "../src/conformance/samples/messages.ts";
import { http, serveHttp } from "../src/http/index.ts";
import type { AhpClient, Transport } from "../src/index.ts";
import { connect, createServer } from "../src/index.ts";
import { serveUnix, unix } from "../src/unix/index.ts";
import { serveWebSocket, websocket } from "../src/websocket/index.ts";

const ALLOW = { decision: "allow" } as const;
const MEGABYTE = 1024 * 1024;
const server = createServer({ decide: () => ALLOW });
const cleanups: (() => unknown)[] = [];
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ahp-hard-"));
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  rmSync(folder, { recursive: true, force: true });
});

function line(id: string, method: string, params: unknown): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
}

async function serve(): Promise<string> {
  const unixServer = await serveUnix(server, { path: join(folder, "a.sock") });
  cleanups.push(unixServer.close);
  return unixServer.path;
}

async function dial(path: string): Promise<Socket> {
  const socket = connectTcp(path);
  socket.on("error", () => {});
  cleanups.push(() => socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** A good client on another connection: whatever happens, it is served. */
async function bystander(transport: Transport): Promise<AhpClient> {
  const client = await connect(transport, {
    sessionId: "s",
    agentId: "bystander",
    timeoutMs: 2_000,
    maxRetries: 0,
  });
  cleanups.push(client.close);
  return client;
}

async function isServed(client: AhpClient): Promise<void> {
  const before = performance.now();
  expect(await client.decide("pre_action", {})).toEqual(ALLOW);
  expect(performance.now() - before).toBeLessThan(1_500);
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function heapMegabytes(): number {
  collect();
  // `external` counts the array buffers too.
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / MEGABYTE;
}

describe("a peer that writes and never reads", { timeout: 60_000 }, () => {
  it("is made to wait, costs bounded memory, and gets every answer when it reads", async () => {
    const path = await serve();
    const client = await bystander(unix({ path }));
    const socket = await dial(path);
    socket.pause();
    socket.write(line("hello", "ahp/handshake", HELLO));
    const before = heapMegabytes();
    const request = line("x", "ahp/event", eventOf("pre_action", { payload: { text: "y".repeat(300) } }));
    let sent = 0;
    // Until the harness has stopped reading: then the kernel's buffers are full, and ours fills.
    while (socket.writableLength < 2 * MEGABYTE && sent < 400_000) {
      for (let n = 0; n < 100; n += 1) socket.write(request);
      sent += 100;
      await sleep(0);
    }
    expect(socket.writableLength).toBeGreaterThan(MEGABYTE);
    await sleep(50);
    expect(heapMegabytes() - before).toBeLessThan(40);
    await isServed(client);

    let answers = 0;
    socket.on("data", (chunk: Buffer) => {
      for (const byte of chunk) answers += byte === 0x0a ? 1 : 0;
    });
    socket.resume();
    const end = performance.now() + 30_000;
    while (answers < sent + 1 && performance.now() < end) await sleep(10);
    expect(answers).toBe(sent + 1);
  });
});

describe("a WebSocket peer that writes and never reads", { timeout: 60_000 }, () => {
  it("is made to wait, and costs bounded memory", async () => {
    const wsServer = await serveWebSocket(server);
    cleanups.push(wsServer.close);
    const client = await bystander(websocket({ url: wsServer.url }));
    const socket = new WebSocket(wsServer.url);
    cleanups.push(() => socket.terminate());
    await once(socket, "open");
    socket.send(line("hello", "ahp/handshake", HELLO));
    socket.pause();
    const before = heapMegabytes();
    const request = line("x", "ahp/event", eventOf("pre_action", { payload: { text: "y".repeat(300) } }));
    for (let n = 0; n < 400_000 && socket.bufferedAmount < 2 * MEGABYTE; n += 1) {
      socket.send(request);
      if (n % 100 === 0) await sleep(0);
    }
    expect(socket.bufferedAmount).toBeGreaterThan(MEGABYTE);
    await sleep(50);
    expect(heapMegabytes() - before).toBeLessThan(40);
    await isServed(client);
  });
});

describe("a flood of notifications", () => {
  it("never has more handlers at work than the limit", async () => {
    let atWork = 0;
    let most = 0;
    let done = 0;
    const slow = createServer(
      {
        async notify() {
          atWork += 1;
          most = Math.max(most, atWork);
          await sleep(1);
          atWork -= 1;
          done += 1;
        },
      },
      { limits: { maxNotices: 10 } },
    );
    const unixServer = await serveUnix(slow, { path: join(folder, "slow.sock") });
    cleanups.push(unixServer.close);
    const socket = await dial(unixServer.path);
    const notice = `${JSON.stringify({ jsonrpc: "2.0", method: "ahp/event", params: eventOf("post_action") })}\n`;
    socket.write(line("hello", "ahp/handshake", HELLO) + notice.repeat(500));
    for (let waited = 0; waited < 10_000 && done < 500; waited += 5) await sleep(5);
    expect(done).toBe(500);
    expect(most).toBeLessThanOrEqual(10);
  });
});

describe("a message of 50 MB", { timeout: 60_000 }, () => {
  it("as a line: gets an error and the end, and no memory", async () => {
    const path = await serve();
    const client = await bystander(unix({ path }));
    const socket = await dial(path);
    const before = heapMegabytes();
    const chunk = Buffer.alloc(MEGABYTE, "x");
    const over = Promise.race([once(socket, "close"), once(socket, "end"), sleep(5_000)]);
    let answer = "";
    let most = 0;
    socket.on("data", (data: Buffer) => (answer += data.toString()));
    for (let n = 0; n < 50 && !socket.destroyed; n += 1) {
      socket.write(chunk);
      await sleep(1);
      most = Math.max(most, heapMegabytes() - before - socket.writableLength / MEGABYTE);
    }
    await over;
    expect(JSON.parse(answer)).toMatchObject({
      id: "",
      error: { code: -32600, data: { code: "message_too_large" } },
    });
    expect(most).toBeLessThan(30);
    await isServed(client);
  });

  it("as a body: is 413 before it is read", async () => {
    const httpServer = await serveHttp(server);
    cleanups.push(httpServer.close);
    const client = await bystander(http({ url: httpServer.url }));
    const response = await fetch(httpServer.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: Buffer.alloc(50 * MEGABYTE, "x"),
    }).catch((error: unknown) => error as Error);
    // The harness answers and hangs up while the peer is still sending: either may be seen.
    if (response instanceof Response) expect(response.status).toBe(413);
    await isServed(client);
  });

  it("as a frame: ends the connection", async () => {
    const wsServer = await serveWebSocket(server);
    cleanups.push(wsServer.close);
    const client = await bystander(websocket({ url: wsServer.url }));
    const socket = new WebSocket(wsServer.url);
    socket.on("error", () => {});
    await once(socket, "open");
    socket.send("x".repeat(50 * MEGABYTE));
    const [code] = (await once(socket, "close")) as [number];
    expect([1006, 1009]).toContain(code);
    await isServed(client);
  });

  it.each([
    ["unix", unixFake],
    ["websocket", websocketFake],
    ["http", httpFake],
  ])("as an answer over %s: fails the client's call", async (_name, start) => {
    const fake = await start();
    cleanups.push(fake.close);
    const metadata = { x: "x".repeat(50 * MEGABYTE) };
    fake.answer = answering((message) => resultOf(message, { ...ALLOW, metadata }));
    const client = await connect(fake.transport(), { sessionId: "s", agentId: "a", maxRetries: 0 });
    cleanups.push(client.close);
    await expect(client.decide("pre_action", {})).rejects.toMatchObject({ code: "message_too_large" });
  });
});

describe("garbage", () => {
  it("of every kind does not disturb others", async () => {
    const path = await serve();
    const httpServer = await serveHttp(server);
    const wsServer = await serveWebSocket(server);
    cleanups.push(httpServer.close, wsServer.close);
    const clients = await Promise.all(
      [unix({ path }), http({ url: httpServer.url }), websocket({ url: wsServer.url })].map(bystander),
    );
    const tcp = (url: string) => connectTcp(Number(new URL(url).port), "127.0.0.1");
    const noise = [
      Buffer.from("\u0000\u0001\u0002\n\n\r\n{}\n[]\n"),
      Buffer.from(Array.from({ length: 5_000 }, (_, n) => (n * 7919) % 256)),
      Buffer.from(`${"[".repeat(200_000)}\n`),
      Buffer.from(`{"__proto__":{"jsonrpc":"2.0"},"constructor":1}\n`),
      Buffer.from("GET / HTTP/1.1\r\n\r\n"),
      Buffer.from("POST /ahp HTTP/1.1\r\nContent-Length: 99999999999999\r\n\r\n"),
    ];
    for (const dialled of [() => connectTcp(path), () => tcp(httpServer.url), () => tcp(wsServer.url)]) {
      for (const bytes of noise) {
        const socket = dialled();
        socket.on("error", () => {});
        socket.resume();
        socket.end(bytes);
        cleanups.push(() => socket.destroy());
      }
    }
    await sleep(100);
    for (const client of clients) await isServed(client);
  });

  it("as deep as it likes is answered, not followed", async () => {
    const path = await serve();
    const echo = createServer({
      decide: ({ payload }) => ({ decision: "modify", modified_payload: payload }),
    });
    const connection = echo.connect({ transport: "test", context: undefined });
    await connection.receive(line("h", "ahp/handshake", HELLO));
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const text = JSON.stringify({
      jsonrpc: "2.0",
      id: "d",
      method: "ahp/event",
      params: eventOf("pre_action"),
    });
    const reply = await connection.receive(text.replace(/"payload":\{.*\}\}\}/, `"payload":${deep}}}`));
    expect(JSON.parse(reply as string)).toMatchObject({ id: "d" });
    expect(path).toBeTruthy();
  });
});

describe("a peer that says nothing", () => {
  it("is cut off when it does not greet", async () => {
    const unixServer = await serveUnix(server, { path: join(folder, "mute.sock"), handshakeTimeoutMs: 50 });
    cleanups.push(unixServer.close);
    const socket = await dial(unixServer.path);
    socket.resume();
    await once(socket, "end");
    const greeted = await dial(unixServer.path);
    greeted.resume();
    greeted.write(line("h", "ahp/handshake", HELLO));
    await sleep(150);
    expect(greeted.readableEnded).toBe(false);
  });

  it("over WebSocket is cut off when it answers no ping", async () => {
    const wsServer = await serveWebSocket(server, { pingEveryMs: 40 });
    cleanups.push(wsServer.close);
    const mute = new WebSocket(wsServer.url, { autoPong: false });
    const lively = new WebSocket(wsServer.url);
    cleanups.push(() => lively.terminate());
    await Promise.all([once(mute, "open"), once(lively, "open")]);
    await once(mute, "close");
    expect(lively.readyState).toBe(lively.OPEN);
  });

  it("over HTTP is cut off when its request dribbles", async () => {
    const httpServer = await serveHttp(server, { requestTimeoutMs: 100 });
    cleanups.push(httpServer.close);
    const socket = connectTcp(Number(new URL(httpServer.url).port), "127.0.0.1");
    socket.on("error", () => {});
    socket.resume();
    socket.write(
      "POST /ahp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{",
    );
    await once(socket, "close");
  });
});

describe("a crowd", () => {
  it("is limited: more connections than allowed are refused, the others served", async () => {
    const unixServer = await serveUnix(server, { path: join(folder, "few.sock"), maxConnections: 3 });
    cleanups.push(unixServer.close);
    const client = await bystander(unix({ path: unixServer.path }));
    const sockets = await Promise.all(Array.from({ length: 6 }, () => dial(unixServer.path)));
    for (const socket of sockets) socket.resume();
    await sleep(50);
    expect(unixServer.connections).toBeLessThanOrEqual(3);
    await isServed(client);
  });
});

describe("a peer with large questions that are held", { timeout: 30_000 }, () => {
  const COUNT = 40;
  const LARGE = eventOf("pre_action", { payload: { text: "y".repeat(256 * 1024) } });

  /** Holds every answer until released; its budget is reached by the fourth question. */
  function holding() {
    const held = Promise.withResolvers<typeof ALLOW>();
    let asked = 0;
    const decide = () => {
      asked += 1;
      return held.promise;
    };
    const holder = createServer({ decide }, { limits: { maxHeldBytes: MEGABYTE } });
    return { holder, release: () => held.resolve(ALLOW), asked: () => asked };
  }

  /** The peer is not read from beyond its budget, and answered in full after. */
  async function isBounded(asked: () => number, release: () => void, answers: () => number): Promise<void> {
    await sleep(200);
    expect(asked()).toBe(4);
    release();
    const end = performance.now() + 10_000;
    while (answers() < COUNT + 1 && performance.now() < end) await sleep(10);
    expect(answers()).toBe(COUNT + 1);
    expect(asked()).toBe(COUNT);
  }

  it("is not read from beyond its budget, on a socket", async () => {
    const { holder, release, asked } = holding();
    const unixServer = await serveUnix(holder, { path: join(folder, "held.sock") });
    cleanups.push(unixServer.close);
    const socket = await dial(unixServer.path);
    let answers = 0;
    socket.on("data", (chunk: Buffer) => {
      for (const byte of chunk) answers += byte === 0x0a ? 1 : 0;
    });
    socket.write(line("hello", "ahp/handshake", HELLO));
    for (let n = 0; n < COUNT; n += 1) socket.write(line(`${n}`, "ahp/event", LARGE));
    await isBounded(asked, release, () => answers);
  });

  it("is not read from beyond its budget, nor taken for dead, on a WebSocket", async () => {
    const { holder, release, asked } = holding();
    const wsServer = await serveWebSocket(holder, { pingEveryMs: 60 });
    cleanups.push(wsServer.close);
    const socket = new WebSocket(wsServer.url);
    cleanups.push(() => socket.terminate());
    let answers = 0;
    socket.on("message", () => (answers += 1));
    await once(socket, "open");
    socket.send(line("hello", "ahp/handshake", HELLO));
    for (let n = 0; n < COUNT; n += 1) socket.send(line(`${n}`, "ahp/event", LARGE));
    await isBounded(asked, release, () => answers);
  });
});

describe("a Unix socket", () => {
  it("that a crash left behind is replaced", async () => {
    const path = join(folder, "stale.sock");
    const { spawnSync } = await import("node:child_process");
    const script =
      "require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))";
    spawnSync(process.execPath, ["-e", script, path]);
    expect(statSync(path).isSocket()).toBe(true);
    const unixServer = await serveUnix(server, { path });
    cleanups.push(unixServer.close);
    await isServed(await bystander(unix({ path })));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("that is served is not taken over", async () => {
    const path = await serve();
    await expect(serveUnix(server, { path })).rejects.toMatchObject({ code: "connection_failed" });
    await isServed(await bystander(unix({ path })));
  });

  it("is not put over a file that is none", async () => {
    const path = join(folder, "precious.txt");
    writeFileSync(path, "keep me");
    await expect(serveUnix(server, { path })).rejects.toMatchObject({ code: "connection_failed" });
    expect(statSync(path).isFile()).toBe(true);
  });

  it("is gone after close", async () => {
    const path = join(folder, "gone.sock");
    const unixServer = await serveUnix(server, { path });
    await unixServer.close();
    expect(() => statSync(path)).toThrow(/ENOENT/);
  });
});

describe("the network", () => {
  it("is not served without asking who is there", async () => {
    for (const host of ["0.0.0.0", "::", "192.168.0.1", "example.com"]) {
      await expect(serveHttp(server, { host })).rejects.toMatchObject({ code: "unauthorized" });
      await expect(serveWebSocket(server, { host })).rejects.toMatchObject({ code: "unauthorized" });
    }
  });

  it("a web page elsewhere cannot open a WebSocket", async () => {
    const wsServer = await serveWebSocket(server, { allowedOrigins: ["https://good.example"] });
    cleanups.push(wsServer.close);
    const bad = new WebSocket(wsServer.url, { origin: "https://evil.example" });
    await expect(once(bad, "open")).rejects.toThrow(/403/);
    const good = new WebSocket(wsServer.url, { origin: "https://good.example" });
    await once(good, "open");
    good.terminate();
  });
});

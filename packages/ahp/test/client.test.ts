import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import { describe, expect, expectTypeOf, it, onTestFinished } from "vitest";

import { backoffMs } from "../src/client/backoff.ts";
import { WELCOME } from "../src/conformance/fakes/fake.ts";
import type { PlanningDecision, Transport } from "../src/index.ts";
import {
  AhpError,
  connect,
  createClient,
  createServer,
  decideOrBlock,
  grpc,
  inProcess,
} from "../src/index.ts";
import { http, serveHttp } from "../src/http/index.ts";
import { stdio } from "../src/stdio/index.ts";
import { transportOf } from "../src/url/index.ts";
import { linkPair } from "../src/transport/in-process.ts";
import { multiplex } from "../src/transport/multiplex.ts";

const WHO = { sessionId: "s", agentId: "a" };
const ALLOW = { decision: "allow" } as const;

describe("decide", () => {
  it("gives each type its own decision", () => {
    const client = createClient(inProcess(createServer({})), WHO);
    const planned = () =>
      client.decide("planning", { session_id: "s", task_description: "t", available_strategies: [] });
    expectTypeOf(planned).returns.resolves.toEqualTypeOf<PlanningDecision>();
    // @ts-expect-error a notification is no question
    const wrong = () => client.decide("post_action", {});
    expect(wrong).toBeTypeOf("function");
  });

  it("stamps events with the given clock and ids", async () => {
    const seen: unknown[] = [];
    const server = createServer({
      pre_action: (event) => {
        seen.push(event.timestamp);
        return ALLOW;
      },
    });
    const now = () => new Date("2026-01-02T03:04:05Z");
    let id = 0;
    const client = await connect(inProcess(server), { ...WHO, now, newId: () => `id-${(id += 1)}` });
    await client.decide("pre_action", {});
    expect(seen).toEqual(["2026-01-02T03:04:05.000Z"]);
    expect(id).toBe(2);
    await client.close();
  });
});

describe("what cannot be sent", () => {
  it.each([
    ["a circle", circle(), "invalid_payload"],
    ["a big integer", { n: 1n }, "invalid_payload"],
    ["nothing", undefined, "invalid_params"],
  ])("%s is refused before it is sent, with a code", async (_name, payload, code) => {
    const client = await connect(inProcess(createServer({ decide: () => ALLOW })), WHO);
    await expect(client.decide("pre_action", payload)).rejects.toMatchObject({ code });
    await expect(client.notify("post_action", payload)).rejects.toMatchObject({ code });
    await expect(client.decide("bogus" as never, {} as never)).rejects.toMatchObject({
      code: "invalid_params",
    });
    await expect(client.decide("pre_action", {}, { depth: -1 })).rejects.toMatchObject({
      code: "invalid_params",
    });
    await client.close();
  });
});

describe("options", () => {
  it("that are undefined leave the default", async () => {
    const server = createServer({ decide: () => sleep(20, ALLOW) }, { limits: { batchSize: undefined } });
    expect(server.offer.config?.batch_size).toBe(100);
    const client = await connect(inProcess(server), { ...WHO, timeoutMs: undefined, maxInFlight: undefined });
    expect(await client.decide("pre_action", {})).toEqual(ALLOW);
    await client.close();
  });
});

describe("decideOrBlock", () => {
  it("passes a decision on", async () => {
    const client = await connect(inProcess(createServer({ decide: () => ALLOW })), WHO);
    expect(await decideOrBlock(client, "pre_action", {})).toEqual({ decision: ALLOW, failure: undefined });
    await client.close();
  });

  it("blocks when the harness hangs", async () => {
    const client = await connect(inProcess(createServer({ decide: () => new Promise(() => {}) })), WHO);
    const { decision, failure } = await decideOrBlock(client, "pre_action", {}, { timeoutMs: 20 });
    expect(decision).toEqual({ decision: "block", reason: "No decision (timeout): No answer in 20 ms" });
    expect(failure?.code).toBe("timeout");
    await client.close();
  });
});

describe("patience", () => {
  it("bounds the waiting too: a full queue is refused, a queued call times out", async () => {
    const server = createServer({ decide: () => new Promise(() => {}) });
    const options = { ...WHO, maxInFlight: 1, maxQueued: 1 };
    const client = await connect(inProcess(server), options);
    const ask = (timeoutMs: number) =>
      client.decide("pre_action", {}, { timeoutMs }).catch((error: AhpError) => error.code);
    const first = ask(60);
    const queued = ask(30);
    expect(await ask(30)).toBe("overloaded");
    expect(await queued).toBe("timeout");
    expect(await first).toBe("timeout");
    await client.close();
  });

  it("covers connecting and retrying", async () => {
    const never: Transport = { name: "never", lifetime: "connection", connect: () => new Promise(() => {}) };
    const client = createClient(never, { ...WHO, timeoutMs: 40 });
    const before = performance.now();
    await expect(client.handshake()).rejects.toMatchObject({ code: "timeout" });
    expect(performance.now() - before).toBeLessThan(1_000);
  });

  it("does not keep close waiting", async () => {
    const never: Transport = { name: "never", lifetime: "connection", connect: () => new Promise(() => {}) };
    const mute = createServer({ handshake: () => new Promise(() => {}) });
    for (const transport of [never, inProcess(mute)]) {
      const client = createClient(transport, WHO);
      const greeted = client.handshake().catch((error: AhpError) => error.code);
      await sleep(10);
      const before = performance.now();
      await client.close();
      expect(performance.now() - before).toBeLessThan(2_000);
      await expect(client.handshake()).rejects.toMatchObject({ code: "closed" });
      if (transport !== never) expect(await greeted).toBe("aborted");
    }
  });

  it("retries what cannot be reached, so often and no more", async () => {
    let tries = 0;
    const down: Transport = {
      name: "down",
      lifetime: "connection",
      async connect() {
        tries += 1;
        throw new AhpError("connection_failed", "down");
      },
    };
    const client = createClient(down, { ...WHO, maxRetries: 2, retryDelayMs: 1 });
    await expect(client.handshake()).rejects.toMatchObject({ code: "connection_failed" });
    expect(tries).toBe(3);
  });

  it("backs off, doubling, with jitter, up to a limit", () => {
    const middle = [0, 1, 2, 3].map((attempt) => backoffMs(1_000, attempt, () => 0.5));
    expect(middle).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(backoffMs(1_000, 0, () => 0)).toBe(750);
    expect(backoffMs(1_000, 50, () => 0.999)).toBeLessThanOrEqual(37_500);
  });
});

describe("a half-open connection", () => {
  it("is closed after three silences, one after the other", async () => {
    const [near, far] = linkPair();
    let isClosed = false;
    far.listen({ message: () => {}, garbage: () => {}, closed: () => (isClosed = true) });
    const connection = multiplex(near, { onStray: () => {} });
    const together = ["a", "b", "c", "d"].map((id) => connection.ask(id, "{}", () => {}));
    for (const forget of together) forget(true);
    expect(connection.alive).toBe(true);
    connection.ask("e", "{}", () => {})(false);
    for (const id of ["f", "g"]) connection.ask(id, "{}", () => {})(true);
    await sleep(10);
    expect(isClosed).toBe(true);
    expect(connection.alive).toBe(false);
  });

  it("is not one that answers in between", async () => {
    const [near, far] = linkPair();
    far.listen({ message: () => {}, garbage: () => {}, closed: () => {} });
    const connection = multiplex(near, { onStray: () => {} });
    for (let n = 0; n < 10; n += 1) {
      connection.ask(`n${n}`, "{}", () => {})(true);
      await far.send('{"log":"still here"}');
    }
    expect(connection.alive).toBe(true);
    await connection.close();
  });
});

describe("a harness that restarts behind HTTP", () => {
  it("is greeted again, by itself", async () => {
    const server = createServer({ decide: () => ALLOW });
    const first = await serveHttp(server);
    const client = await connect(http({ url: first.url }), { ...WHO, retryDelayMs: 5 });
    expect(await client.decide("pre_action", {})).toEqual(ALLOW);
    await first.close();
    const again = await serveHttp(server, { port: Number(new URL(first.url).port) });
    const asked = Array.from({ length: 10 }, () => client.decide("pre_action", {}));
    for (const decision of await Promise.all(asked)) expect(decision).toEqual(ALLOW);
    await client.close();
    await again.close();
  });
});

describe("a harness on stdio", () => {
  it("that cannot be started is a clear error", async () => {
    const transport = stdio({ command: "/no/such/harness" });
    const asked = connect(transport, { ...WHO, maxRetries: 0 });
    await expect(asked).rejects.toMatchObject({ code: "connection_failed" });
  });

  it("that dies fails what is open, and is not started again", async () => {
    const die = "process.stdin.once('data', () => process.exit(3))";
    const client = createClient(stdio({ command: process.execPath, args: ["-e", die] }), {
      ...WHO,
      maxRetries: 0,
    });
    await expect(client.handshake()).rejects.toMatchObject({ code: "connection_lost" });
    await client.close();
  });

  it("that ignores its end is ended", async () => {
    const stubborn = `
      process.on("SIGTERM", () => {});
      setInterval(() => {}, 1000);
      process.stdin.on("data", (text) => {
        const { id } = JSON.parse(text);
        const harness_info = { name: "n", version: "1", capabilities: [] };
        console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { protocol_version: "2.4", harness_info } }));
      });`;
    const transport = stdio({ command: process.execPath, args: ["-e", stubborn], graceMs: 50 });
    const client = await connect(transport, WHO);
    const before = performance.now();
    await client.close();
    expect(performance.now() - before).toBeLessThan(5_000);
  });
});

describe("transports by name", () => {
  it("gRPC is reserved, and says so", () => {
    for (const ask of [grpc, () => transportOf("grpc://127.0.0.1:1")]) {
      expect(ask).toThrow(expect.objectContaining({ code: "transport_unsupported" }));
      expect(ask).toThrow(/gRPC is reserved/);
    }
  });

  it("the URL chooses", () => {
    const names = [
      "http://h/ahp",
      "https://h/ahp",
      "ws://h",
      "wss://h/x",
      "unix:/tmp/a.sock",
      "unix:///tmp/a.sock",
    ];
    expect(names.map((url) => transportOf(url).name)).toEqual([
      "http",
      "http",
      "websocket",
      "websocket",
      "unix",
      "unix",
    ]);
    expect(() => transportOf("ftp://h")).toThrow(expect.objectContaining({ code: "transport_unsupported" }));
    expect(() => transportOf("")).toThrow(expect.objectContaining({ code: "transport_unsupported" }));
  });
});

function circle(): unknown {
  const self: Record<string, unknown> = {};
  self["self"] = self;
  return self;
}

describe("over HTTP, when a kept connection breaks", () => {
  /** Answers the handshake, then hears one message on the same connection and cuts it. */
  async function cutting() {
    const heard: string[] = [];
    let isCut = false;
    const listener = createHttpServer((request, response) => {
      let text = "";
      request.on("data", (chunk: Buffer) => (text += chunk.toString()));
      request.on("end", () => {
        const { id, method } = JSON.parse(text) as { id: string; method: string };
        heard.push(method);
        if (method !== "ahp/handshake" && !isCut) {
          isCut = true;
          return request.socket.resetAndDestroy();
        }
        const result = method === "ahp/handshake" ? WELCOME : { decision: "allow" };
        response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
      });
    });
    listener.listen(0, "127.0.0.1");
    await once(listener, "listening");
    const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/ahp`;
    const client = await connect(http({ url }), { sessionId: "s", agentId: "a", maxRetries: 0 });
    onTestFinished(async () => {
      await client.close();
      listener.close();
    });
    return { client, heard };
  }

  it("a question is asked again", async () => {
    const { client, heard } = await cutting();
    expect(await client.decide("pre_action", {})).toEqual({ decision: "allow" });
    expect(heard).toEqual(["ahp/handshake", "ahp/event", "ahp/event"]);
  });

  it("a batch and a notification are not sent again", async () => {
    const batch = await cutting();
    await expect(batch.client.batch([{ type: "pre_action", payload: {} }])).rejects.toMatchObject({
      code: "connection_lost",
    });
    expect(batch.heard).toEqual(["ahp/handshake", "ahp/batch"]);
    const told = await cutting();
    await expect(told.client.notify("post_action", {})).rejects.toMatchObject({ code: "connection_lost" });
    expect(told.heard).toEqual(["ahp/handshake", "ahp/event"]);
  });
});

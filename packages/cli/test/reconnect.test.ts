import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { createClient } from "@fairlead/client";
import type { FaceName, NewEvent } from "@fairlead/contract";
import { createRuntime, FACES, SYSTEM_ACTOR } from "@fairlead/runtime";
import { createServer as createFairlead, tokenAuthenticator } from "@fairlead/runtime/serve";
import { expect, onTestFinished, test } from "vitest";

const EVENTS = 800;
const FOLLOWERS = 3;

/** Passes bytes on until it has passed on some number of them, and then cuts the line without a word. */
async function cuttingProxy(port: number, random: () => number) {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    let left = Math.floor(500 + random() * 80_000);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("error", () => {});
      from.on("close", () => to.destroy());
      from.on("data", (bytes) => {
        to.write(bytes.subarray(0, left));
        left -= bytes.length;
        if (left <= 0) from.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, cuts: () => sockets.size };
}

/** Time passes twenty times as fast. */
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms / 20));

/** A small generator of its own, so that a failure can be run again. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function startWorld() {
  const runtime = await createRuntime({ store: "memory" });
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const server = createFairlead({
    runtime,
    logger,
    auth: tokenAuthenticator(runtime.services.tokens),
    config: {
      host: "127.0.0.1",
      port: 0,
      version: "test",
      allowHosts: ["127.0.0.1"],
      limits: { heartbeatMs: 200 },
    },
  });
  const { port } = await server.listen();
  onTestFinished(async () => {
    await server.close();
    await runtime.stop();
  });
  const { secret } = await runtime.services.tokens.create(SYSTEM_ACTOR, { actor: "test", role: "admin" });
  const { session_id } = await runtime.services.sessions.create(SYSTEM_ACTOR, {});
  return { runtime, port, secret, session_id };
}

/** Some have no name on one of the faces, so that numbers jump there. */
function someEvent(i: number): NewEvent {
  if (i % 5 === 0)
    return { type: "agent.usage", data: { input_tokens: i, output_tokens: 1, total_tokens: i + 1 } };
  if (i % 7 === 0)
    return { type: "runtime.adapter.event", data: { event: { adapter: "x", phase: `p${i}` } } };
  return { type: "agent.output.delta", data: { text: `piece ${i} `.repeat(i % 20) } };
}

test.each(["frontend", "runtime"] as const)(
  "followers whose lines are cut at random end with exactly the log, on the %s face",
  async (face: FaceName) => {
    const { runtime, port, secret, session_id } = await startWorld();
    const seed = 20_250_101;
    const proxy = await cuttingProxy(port, seeded(seed));
    const client = createClient({
      url: `http://127.0.0.1:${proxy.port}`,
      token: secret,
      random: () => 0,
      pause,
    });
    const end = {
      type: "runtime.request.failed",
      data: { turn_id: "trn_end", error: "the end", code: "end" },
    } as const;

    const followers = Array.from({ length: FOLLOWERS }, async () => {
      const seen: unknown[] = [];
      for await (const { frame } of client.eventStream({ session: session_id, face, silenceMs: 2_000 })) {
        seen.push(frame);
        if (JSON.stringify(frame).includes('"error":"the end"')) return seen;
      }
      return seen;
    });
    for (let i = 0; i < EVENTS; i++) {
      await runtime.log.append({ writes: [{ stream: session_id, events: [someEvent(i)] }] });
      if (i % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await runtime.log.append({ writes: [{ stream: session_id, events: [end] }] });

    const expected: unknown[] = [];
    for (let after: number | null = 0; after !== null;) {
      const page: Awaited<ReturnType<typeof runtime.log.read>> = await runtime.log.read(session_id, {
        after,
      });
      expected.push(...page.events.map((event) => FACES[face](event)).filter((frame) => frame !== null));
      after = page.next;
    }
    const wire = JSON.parse(JSON.stringify(expected)) as unknown[];
    for (const seen of await Promise.all(followers)) expect(seen).toEqual(wire);
    expect(proxy.cuts()).toBeGreaterThan(4 * FOLLOWERS);
  },
);

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { type AhpServer, connect, createServer, multiplex } from "@fairlead/ahp";
import { lineLink } from "@fairlead/ahp/stdio";
import { serveWebSocket } from "@fairlead/ahp/websocket";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocketServer } from "ws";
import { bridge, type BridgeOptions } from "../../src/harness/bridge.ts";

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;
const HELLO = {
  protocol_version: "2.4",
  agent_info: { framework: "test", version: "1", capabilities: [] },
  session_id: "s",
  agent_id: "a",
};

function request(id: string, method: string, params: unknown): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
}

async function serve(server: AhpServer): Promise<string> {
  const served = await serveWebSocket(server);
  onTestFinished(served.close);
  return served.url;
}

function bridged(url: string, more: Partial<BridgeOptions> = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const done = bridge({ url, token: "t", input, output, ...more });
  done.catch(() => {});
  return { input, output, done };
}

describe("the bridge", () => {
  test("carries questions and answers, and ends with its input", async () => {
    const { input, output, done } = bridged(
      await serve(createServer({ decide: () => ({ decision: "allow" }) })),
    );
    const client = await connect(
      {
        name: "bridge",
        lifetime: "process",
        connect: async ({ onStray }) => multiplex(lineLink(output, input), { onStray }),
      },
      { sessionId: "s", agentId: "a" },
    );
    expect(await client.decide("pre_action", {})).toEqual({ decision: "allow" });
    await client.close();
    await done;
  });

  test("gives the last answers before it ends", async () => {
    const decide = () => sleep(100, { decision: "allow" } as const);
    const { input, output, done } = bridged(await serve(createServer({ decide })));
    const event = { event_type: "pre_action", session_id: "s", agent_id: "a", timestamp: "t", depth: 0 };
    input.write(request("1", "ahp/handshake", HELLO));
    input.end(request("2", "ahp/event", { ...event, payload: {} }));
    await done;
    expect(String(output.read())).toContain('"decision":"allow"');
  });

  test("ends on a line that is too long, and says so", async () => {
    const { input, output, done } = bridged(await serve(createServer({})), { maxMessageBytes: 1_000 });
    input.write("x".repeat(5_000));
    await expect(done).rejects.toThrow(/too long/);
    expect(String(output.read())).toContain("message_too_large");
  });

  test("does not carry bytes that are no text", async () => {
    const { input, output } = bridged(await serve(createServer({})));
    input.write(Buffer.from([0xff, 0xfe, 0x0a]));
    const [answer] = (await once(output, "data")) as [Buffer];
    expect(String(answer)).toContain("-32700");
  });

  test("reads no more while the agent leaves its answers unread", async () => {
    let asked = 0;
    const query = () => {
      asked += 1;
      // Half of them are more than the buffers of any system between the two take.
      return { answer: "y".repeat(128 * KILOBYTE) };
    };
    const { input, output } = bridged(await serve(createServer({ query })));
    input.write(request("h", "ahp/handshake", HELLO));
    const count = 2_000;
    const params = { session_id: "s", agent_id: "a", query_type: "q", payload: "z".repeat(KILOBYTE) };
    for (let n = 0; n < count; n += 1) input.write(request(`${n}`, "ahp/query", params));
    await sleep(500);
    const before = asked;
    expect(before).toBeLessThan(count / 2);
    let answers = 0;
    output.on("data", (chunk: Buffer) => {
      for (let at = chunk.indexOf("\n"); at !== -1; at = chunk.indexOf("\n", at + 1)) answers += 1;
    });
    const end = performance.now() + 10_000;
    while (answers < count + 1 && performance.now() < end) await sleep(10);
    expect(answers).toBe(count + 1);
  });

  test("reads no more while the harness does not read", async () => {
    const deaf = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    deaf.on("connection", (socket) => socket.pause());
    onTestFinished(() => {
      for (const socket of deaf.clients) socket.terminate();
      deaf.close();
    });
    await once(deaf, "listening");
    const { input } = bridged(`ws://127.0.0.1:${(deaf.address() as AddressInfo).port}`);
    const line = request("1", "ahp/event", { payload: "z".repeat(MEGABYTE) });
    for (let n = 0; n < 40; n += 1) input.write(line);
    await sleep(500);
    expect(input.writableLength + input.readableLength).toBeGreaterThan(20 * MEGABYTE);
  });
});

import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { mergeMessages } from "../../src/models/ai-sdk/merges.ts";
import { mergingFetch } from "../../src/models/ai-sdk/merging-fetch.ts";

const ask = mergingFetch(mergeMessages);
const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const said = (text: string) =>
  event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
const EVENTS = said("“ä") + said("”") + event({ type: "message_stop" });
const STREAM = { "content-type": "text/event-stream; charset=utf-8" };

const closing: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

async function serve(answer: Answer): Promise<string> {
  const server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  closing.push(() => (server.closeAllConnections(), server.close()));
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const post = (url: string, signal?: AbortSignal) =>
  ask(url, { method: "POST", headers: { "x-a": "1" }, body: "“ask”", ...(signal ? { signal } : {}) });

describe("a model is asked over HTTP", () => {
  it("with all that was given, and the answer has its status and headers", async () => {
    const url = await serve(async (request, response) => {
      let text = "";
      for await (const some of request) text += String(some);
      response.writeHead(429, { "retry-after": "7", "content-type": "application/json" });
      response.end(JSON.stringify({ text, method: request.method, a: request.headers["x-a"] }));
    });
    const response = await post(url);
    expect([response.status, response.ok, response.headers.get("retry-after")]).toEqual([429, false, "7"]);
    expect(await response.json()).toEqual({ text: "“ask”", method: "POST", a: "1" });
  });

  it("and events that come at once are merged; byte by byte they stay as they were", async () => {
    const bytes = Buffer.from(EVENTS);
    const url = await serve(async (request, response) => {
      response.writeHead(200, STREAM);
      if (request.url === "/") return response.end(bytes);
      for (const byte of bytes) {
        response.write(Uint8Array.of(byte));
        await new Promise((resolve) => setImmediate(resolve));
      }
      return response.end();
    });
    expect((await (await post(url)).text()).match(/^data:/gm)).toHaveLength(2);
    const slow = await (await post(`${url}slow`)).text();
    const heard = [...slow.matchAll(/"text":"([^"]*)"/g)].map(([, text]) => text).join("");
    expect(heard).toBe("“ä”");
  });

  it("and what never ends its last event is passed on all the same", async () => {
    const url = await serve((_, response) => response.writeHead(200, STREAM).end(`${EVENTS}data: {"half`));
    expect(await (await post(url)).text()).toMatch(/data: \{"half$/);
  });

  it("and an answer that breaks off breaks", async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, STREAM).write(EVENTS);
      setImmediate(() => response.destroy());
    });
    await expect(post(url).then((response) => response.text())).rejects.toThrow(/aborted/);
  });

  it("and nobody is asked where nobody listens", async () => {
    await expect(post("http://127.0.0.1:1/")).rejects.toThrow(/ECONNREFUSED/);
  });

  it("and is given up when the caller aborts, before and after the answer began", async () => {
    let closed = Promise.withResolvers<void>();
    const url = await serve((request, response) => {
      response.on("close", () => closed.resolve());
      if (request.url === "/begins") response.writeHead(200, STREAM).write(EVENTS);
    });
    for (const path of ["", "begins"]) {
      closed = Promise.withResolvers();
      const stop = new AbortController();
      const asked = post(url + path, stop.signal).then((response) => {
        stop.abort();
        return response.text();
      });
      if (path === "") setImmediate(() => stop.abort());
      await expect(asked).rejects.toThrow(/abort/i);
      if (path !== "") await closed.promise;
    }
  });

  it("and no more is read than somebody takes", async () => {
    let written = 0;
    const closed = Promise.withResolvers<void>();
    const url = await serve((_, response) => {
      response.writeHead(200, STREAM).on("close", () => closed.resolve());
      const more = (): void => {
        while (!response.destroyed) {
          written += 1;
          if (!response.write(EVENTS.repeat(100))) return void response.once("drain", more);
        }
      };
      more();
    });
    const reader = (await post(url)).body?.getReader();
    await reader?.read();
    // Until the sockets are full on both sides nothing more moves.
    let before = -1;
    while (before !== written) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(written * EVENTS.length * 100).toBeLessThan(64 * 1024 * 1024);
    await reader?.cancel();
    await closed.promise;
  });
});

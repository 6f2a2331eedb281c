import { afterEach, describe, expect, test } from "vitest";
import { createClient, type ConnectionState } from "../src/index.ts";
import { type Answer, block, frame, json, serve, sse } from "./support.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function clientOf(answer: Answer) {
  const server = await serve(answer);
  closing.push(server.close);
  return { client: createClient({ url: server.url, random: () => 0 }), ...server };
}

/** Takes so many frames and then stops. */
async function take<T>(count: number, stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) if (items.push(item) === count) break;
  return items;
}

const cursors = (items: readonly { cursor: number | null }[]) => items.map(({ cursor }) => cursor);

describe("a stream", () => {
  test("goes on with its cursor after a cut, and drops what comes again", async () => {
    const headers: unknown[] = [];
    const { client, requests } = await clientOf((request, response) => {
      headers.push(request.headers["last-event-id"]);
      const first = headers.length === 1;
      sse(response).write(first ? block(4) + block(5) : block(4) + block(5) + block(6));
      if (first) setTimeout(() => response.destroy(), 20);
    });
    const states: ConnectionState["state"][] = [];
    const stream = client.eventStream({
      session: "ses_1",
      after: 3,
      onState: ({ state }) => states.push(state),
    });
    expect(cursors(await take(3, stream))).toEqual([4, 5, 6]);
    expect(requests).toEqual(Array(2).fill("GET /sessions/ses_1/events/stream?after=3&face=frontend"));
    expect(headers).toEqual([undefined, "5"]);
    expect(states).toEqual(["connecting", "live", "waiting", "connecting", "live"]);
  });

  test("fills a hole from the pages before it goes on", async () => {
    const { client, requests } = await clientOf((request, response) => {
      if (!request.url!.includes("/stream"))
        return json(response, 200, { events: [frame(2), frame(3)], next: null, head_seq: 4 });
      sse(response).write(block(1) + block(4) + block(5));
    });
    const items = await take(5, client.eventStream({ session: "ses_1" }));
    expect(cursors(items)).toEqual([1, 2, 3, 4, 5]);
    expect(requests[1]).toBe("GET /sessions/ses_1/events?after=1&limit=100&face=frontend");
  });

  test("takes an id on its own as a cursor, and asks nothing", async () => {
    const { client, requests } = await clientOf((_, response) => {
      sse(response).write(`${block(1)}id: 7\n\n${block(8)}: keep-alive\nid: 9\n\n${block(10)}`);
    });
    expect(cursors(await take(3, client.eventStream({ session: "ses_1" })))).toEqual([1, 8, 10]);
    expect(requests).toHaveLength(1);
  });

  test("from `latest` it goes on, after a cut, from where the server said that the end was", async () => {
    const headers: unknown[] = [];
    const { client, requests } = await clientOf((request, response) => {
      headers.push(request.headers["last-event-id"]);
      if (headers.length === 1) return response.destroy();
      sse(response).write(headers.length === 2 ? "id: 0\n\n" : block(1) + block(2));
      if (headers.length === 2) setTimeout(() => response.destroy(), 20);
    });
    const stream = client.eventStream({ session: "ses_1", after: "latest" });
    expect(cursors(await take(2, stream))).toEqual([1, 2]);
    // Before it was told it has no place of its own yet; after that it does not begin anew.
    expect(headers).toEqual([undefined, undefined, "0"]);
    expect(requests[0]).toBe("GET /sessions/ses_1/events/stream?after=latest&face=frontend");
  }, 10_000);

  test("until `latest` ends when the server has said all, and not when it was cut or stopped", async () => {
    let count = 0;
    const { client, requests } = await clientOf((_, response) => {
      const stream = sse(response);
      count += 1;
      stream.write(`retry: 1\n\n${block(count)}`);
      if (count === 1) setTimeout(() => response.destroy(), 20);
      else if (count === 2)
        stream.end('event: end\ndata: {"code":"shutting_down","message":"","hint":""}\n\n');
      else stream.end("id: 9\n\n");
    });
    const told: number[] = [];
    const stream = client.eventStream({ until: "latest", onCursor: (cursor) => told.push(cursor) });
    expect(cursors(await take(99, stream))).toEqual([1, 2, 3]);
    expect(told).toEqual([1, 2, 3, 9]);
    expect(requests[0]).toBe("GET /events/stream?until=latest&face=frontend");
  });

  test("passes an explicit gap on, on both faces", async () => {
    const gaps = {
      frontend: { ...frame(9, "gap"), payload: { from_seq: 1, to_seq: 9, reason: "trimmed" } },
      runtime: { type: "runtime.log.gap", seq: 9, fromSeq: 1, toSeq: 9, reason: "trimmed" },
    };
    const { client, requests } = await clientOf((request, response) => {
      const face = request.url!.includes("face=runtime") ? "runtime" : "frontend";
      sse(response).write(`id: 9\ndata: ${JSON.stringify(gaps[face])}\n\n`);
    });
    for (const face of ["frontend", "runtime"] as const) {
      expect(await take(1, client.eventStream({ session: "ses_1", face }))).toEqual([
        { cursor: 9, frame: gaps[face] },
      ]);
    }
    expect(requests).toHaveLength(2);
  });

  test("of all sessions or of a tier has numbers with holes", async () => {
    const { client, requests } = await clientOf((_, response) => sse(response).write(block(10) + block(20)));
    expect(cursors(await take(2, client.eventStream({})))).toEqual([10, 20]);
    expect(cursors(await take(2, client.eventStream({ session: "ses_1", tier: "default" })))).toEqual([
      10, 20,
    ]);
    expect(requests).toEqual([
      "GET /events/stream?face=frontend",
      "GET /sessions/ses_1/events/stream?face=frontend&tier=default",
    ]);
  });

  test("gives what has no id without a cursor, and ignores names it does not know", async () => {
    const { client } = await clientOf((_, response) => {
      sse(response).write(
        `data: ${JSON.stringify({ type: "session", payload: {} })}\n\nevent: other\ndata: x\n\n${block(1)}`,
      );
    });
    expect(cursors(await take(2, client.eventStream({ session: "ses_1" })))).toEqual([null, 1]);
  });

  test("reads frames that arrive in the smallest pieces", async () => {
    const { client } = await clientOf(async (_, response) => {
      const bytes = Buffer.from(block(1).replace("t1", "tëxt 🎣"));
      sse(response);
      for (const byte of bytes) {
        response.write(Buffer.of(byte));
        await new Promise(setImmediate);
      }
    });
    const [item] = await take(1, client.eventStream({ session: "ses_1" }));
    expect(item?.frame.payload).toEqual({ text: "tëxt 🎣" });
  });
});

describe("trouble", () => {
  const refusal = (code: string) => ({ code, message: "m", hint: "h", request_id: "req_1" });

  test.each([
    [401, "unauthorized"],
    [403, "forbidden"],
    [404, "session_not_found"],
    [410, "session_purged"],
  ])("with status %i is thrown", async (status, code) => {
    const { client, requests } = await clientOf((_, response) => json(response, status, refusal(code)));
    await expect(take(1, client.eventStream({ session: "ses_1" }))).rejects.toMatchObject({
      code,
      requestId: "req_1",
    });
    expect(requests).toHaveLength(1);
  });

  test("with status 503, a broken frame or a silent line is waited out", async () => {
    let tries = 0;
    const { client } = await clientOf((_, response) => {
      tries++;
      if (tries === 1) json(response, 503, refusal("shutting_down"), { "retry-after": "0" });
      else if (tries === 2) sse(response).write("id: 1\ndata: {oops\n\n");
      else if (tries === 3) sse(response);
      else if (tries === 4) return;
      else sse(response).write(block(1));
    });
    const errors: unknown[] = [];
    const onState = (state: ConnectionState) => {
      if (state.state === "waiting") errors.push((state.error as Error).message);
    };
    const stream = client.eventStream({ session: "ses_1", silenceMs: 60, onState });
    expect(cursors(await take(1, stream))).toEqual([1]);
    expect(errors).toEqual([
      "m",
      expect.stringContaining("broke"),
      expect.stringContaining("fell silent"),
      expect.stringContaining("fell silent"),
    ]);
  }, 10_000);

  test("that the server names when it ends the stream is final or not by its code", async () => {
    let tries = 0;
    const { client } = await clientOf((_, response) => {
      const code = ++tries === 1 ? "shutting_down" : "unauthorized";
      sse(response).end(
        `retry: 100\nevent: end\ndata: ${JSON.stringify({ code, message: "m", hint: "h" })}\n\n`,
      );
    });
    await expect(take(1, client.eventStream({ session: "ses_1" }))).rejects.toMatchObject({
      code: "unauthorized",
      status: 401,
    });
    expect(tries).toBe(2);
  });

  test("is told at once when the answer is no stream at all", async () => {
    const { client } = await clientOf((_, response) => response.end("<html>"));
    await expect(take(1, client.eventStream({}))).rejects.toMatchObject({ code: "server_unreachable" });
  });
});

describe("an end", () => {
  test("by the signal is no error, while reading and while waiting", async () => {
    const { client, close } = await clientOf((_, response) => sse(response).write(block(1)));
    const stop = new AbortController();
    const seen: (number | null)[] = [];
    for await (const { cursor } of client.eventStream({ session: "ses_1", signal: stop.signal })) {
      seen.push(cursor);
      setTimeout(() => stop.abort(), 10);
    }
    expect(seen).toEqual([1]);
    await close();
    const later = AbortSignal.timeout(30);
    for await (const _ of client.eventStream({ session: "ses_1", signal: later }))
      throw new Error("nothing to see");
  });

  test("of the iteration closes the connection", async () => {
    let closed: () => void = () => {};
    const gone = new Promise<void>((resolve) => (closed = resolve));
    const { client } = await clientOf((_, response) => {
      response.on("close", closed);
      sse(response).write(block(1));
    });
    await take(1, client.eventStream({ session: "ses_1" }));
    await gone;
  });
});

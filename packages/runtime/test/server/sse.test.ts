import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { SessionId } from "@fairlead/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../src/domain/actor.ts";
import { FACES } from "../../src/faces/index.ts";
import { delta, errorOf, type Frame, openSse, type Site, startSite } from "./support.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const ids = (frames: readonly Frame[]): number[] => frames.map(({ id }) => Number(id));

interface Shown {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly session_id: string;
  readonly seq: number;
}

/** Only those that carry data. */
const dataOf = (frames: readonly Frame[]): Shown[] =>
  frames.flatMap(({ data }) => (data === null ? [] : [JSON.parse(data) as Shown]));

/** Those with data; an id on its own only moves the cursor. */
const told = (frames: readonly Frame[]): Frame[] => frames.filter(({ data }) => data !== null);

async function written(count: number): Promise<SessionId> {
  const session = await site.session();
  await site.write(session, count);
  return session;
}

/** A raw request on a socket of its own; resolves when `test` likes what came, or the server closed. */
function raw(text: string, test: (received: string) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(site.port, "127.0.0.1", () => socket.write(text));
    const done = () => {
      socket.destroy();
      resolve(received);
    };
    socket.setEncoding("utf8").on("data", (chunk) => {
      received += chunk;
      if (test(received)) done();
    });
    socket.on("end", done).on("error", reject);
  });
}

describe("a session's stream", () => {
  test.each(["frontend", "runtime"] as const)("replays, then goes on live, on the %s face", async (face) => {
    const session = await written(5);
    const stream = await openSse(site, `/sessions/${session}/events/stream?face=${face}`);
    const { events } = await site.runtime.log.read(session);
    const shown = events.map((event) => FACES[face](event)).filter((frame) => frame !== null);
    await stream.until((frames) => told(frames).length >= shown.length);
    await site.write(session, 1, "live ");
    await stream.until((frames) => told(frames).length > shown.length);
    expect(dataOf(stream.frames).slice(0, -1)).toEqual(shown);
    expect(ids(told(stream.frames))).toEqual([...shown.map(({ seq }) => seq), 7]);
    expect(stream.frames.every(({ event }) => event === null)).toBe(true);
    expect(stream.text().startsWith("retry: 1000\n\n")).toBe(true);
    expect(stream.response.headers.get("cache-control")).toBe("no-store, no-transform");
    stream.close();
  });

  test("goes on from `after`; `Last-Event-ID` wins over it; a cursor of one face works on the other", async () => {
    const session = await written(5);
    const first = async (query: string, id?: string): Promise<number | undefined> => {
      const headers: Record<string, string> = id === undefined ? {} : { "last-event-id": id };
      const stream = await openSse(site, `/sessions/${session}/events/stream${query}`, { headers });
      await stream.until((frames) => frames.length > 0);
      stream.close();
      return ids(stream.frames)[0];
    };
    expect(await first("?after=3")).toBe(4);
    expect(await first("", "4")).toBe(5);
    expect(await first("?after=0", "4")).toBe(5);
    expect(await first("?after=2&face=runtime", "5")).toBe(6);
  });

  test("a cursor beyond the end is refused, and says where the end is", async () => {
    const session = await written(2);
    const answer = await errorOf(await site.call(`/sessions/${session}/events/stream?after=4`));
    expect(answer).toMatchObject({ status: 400, code: "invalid_cursor", body: { details: { head_seq: 3 } } });
    const stream = await openSse(site, `/sessions/${session}/events/stream?after=3`);
    await site.write(session, 1);
    await stream.until((frames) => frames.length === 1);
    expect(ids(stream.frames)).toEqual([4]);
    stream.close();
  });

  test("`tier=default` hides what is for debugging, and the cursor moves on all the same", async () => {
    const session = await site.session();
    const usage = {
      type: "agent.usage",
      data: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    } as const;
    const append = (events: Parameters<typeof site.runtime.log.append>[0]["writes"][0]["events"]) =>
      site.runtime.log.append({ writes: [{ stream: session, events }] });
    await append([delta("a"), usage, usage, delta("b")]);
    const path = `/sessions/${session}/events/stream`;
    const all = await openSse(site, `${path}?tier=debug`);
    const some = await openSse(site, `${path}?tier=default`);
    await all.until((frames) => frames.length === 5);
    await some.until((frames) => told(frames).length === 3);
    // The fourth on its own: up to there, nothing for this reader.
    expect(some.frames.map(({ id, data }) => [Number(id), data !== null])).toEqual([
      [1, true],
      [2, true],
      [4, false],
      [5, true],
    ]);
    await append(Array.from({ length: 300 }, () => usage));
    await some.until((frames) => frames.length === 5);
    const last = some.frames.at(-1)!;
    expect(last).toMatchObject({ data: null, event: null });
    expect(Number(last.id)).toBeGreaterThan(5 + 255);
    await all.until((frames) => frames.length === 305);
    all.close();
    some.close();
    const again = await openSse(site, `${path}?tier=default`, { headers: { "last-event-id": last.id! } });
    await append([delta("c")]);
    await again.until((frames) => told(frames).length === 1);
    expect(ids(told(again.frames))).toEqual([306]);
    again.close();
  });

  test("a frame is preceded by word of what was hidden before it, however the commits lie", async () => {
    const session = await site.session();
    const usage = {
      type: "agent.usage",
      data: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    } as const;
    const append = (...events: Parameters<typeof site.runtime.log.append>[0]["writes"][0]["events"]) =>
      site.runtime.log.append({ writes: [{ stream: session, events }] });
    const stream = await openSse(site, `/sessions/${session}/events/stream?tier=default`);
    await stream.until((frames) => told(frames).length === 1);
    for (const [a, b] of [[usage, delta("b")] as const, [delta("a"), usage] as const]) {
      await append(a);
      await append(b, usage);
      await append(usage, delta("c"));
      await append(delta("d"));
    }
    await stream.until((frames) => told(frames).length === 1 + 3 + 3);
    stream.close();
    let cursor = 0;
    for (const { id, data } of stream.frames) {
      // No frame jumps: what it passes over was named before.
      if (data !== null) expect(Number(id)).toBe(cursor + 1);
      cursor = Number(id);
    }
  });

  test("`after=latest` begins at the end, and says where that is", async () => {
    const session = await written(5);
    const stream = await openSse(site, `/sessions/${session}/events/stream?after=latest`);
    await stream.until((frames) => frames.length === 1);
    expect(stream.frames).toEqual([{ id: "6", event: null, data: null }]);
    await site.write(session, 1, "new ");
    await stream.until((frames) => frames.length === 2);
    expect(dataOf(stream.frames)).toMatchObject([{ seq: 7, payload: { text: "new 0" } }]);
    stream.close();
    const resumed = await openSse(site, `/sessions/${session}/events/stream?after=latest`, {
      headers: { "last-event-id": "3" },
    });
    await resumed.until((frames) => frames.length === 4);
    expect(ids(resumed.frames)).toEqual([4, 5, 6, 7]);
    resumed.close();
    expect((await errorOf(await site.call(`/sessions/${session}/events?after=latest`))).code).toBe(
      "invalid_cursor",
    );
  });

  test("a heartbeat comes as a comment, with the cursor where it has moved unseen", async () => {
    const quick = await startSite({ config: { limits: { heartbeatMs: 40 } } });
    const session = await quick.session();
    const stream = await openSse(quick, `/sessions/${session}/events/stream?tier=default`);
    const usage = {
      type: "agent.usage",
      data: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    } as const;
    await stream.until((frames) => frames.length === 1);
    await quick.runtime.log.append({ writes: [{ stream: session, events: [usage] }] });
    await stream.until((frames) => frames.length === 2);
    expect(stream.frames.at(-1)).toEqual({ id: "2", event: null, data: null });
    while (stream.comments.length < 3) await sleep(10);
    expect(new Set(stream.comments)).toEqual(new Set(["keep-alive"]));
    expect(stream.frames.length).toBe(2);
    stream.close();
    await quick.close();
  });

  test("a reader behind a trim gets a gap in place of what is gone, live readers are not disturbed", async () => {
    const session = await written(9);
    const live = await openSse(site, `/sessions/${session}/events/stream`);
    await live.until((frames) => frames.length === 10);
    await site.call(`/sessions/${session}/trim`, { method: "POST", body: { up_to: 6 } });
    const late = await openSse(site, `/sessions/${session}/events/stream?after=2`);
    // The last is a snapshot of what was folded from them.
    await late.until((frames) => frames.length === 6);
    expect(dataOf(late.frames)[0]).toMatchObject({
      type: "gap",
      payload: { from_seq: 3, to_seq: 6, reason: "trimmed" },
    });
    expect(ids(late.frames)).toEqual([6, 7, 8, 9, 10, 11]);
    await site.write(session, 1);
    await live.until((frames) => frames.length === 12);
    expect(ids(live.frames)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    live.close();
    late.close();
  });

  test("`history=full` reads what a branch has from its parent", async () => {
    const parent = await written(4);
    const branch = site.runtime.ids.next("session");
    const create = {
      owner: "user",
      kind: "chat",
      project: null,
      broadcast: false,
      created_by: null,
      fork: { parent, seq: 3 },
    } as const;
    const done = await site.runtime.log.append({
      writes: [{ stream: branch, events: [delta("own")], create }],
    });
    expect(done.ok).toBe(true);
    const own = await openSse(site, `/sessions/${branch}/events/stream`);
    const full = await openSse(site, `/sessions/${branch}/events/stream?history=full`);
    await own.until((frames) => frames.length === 1);
    await full.until((frames) => frames.length === 4);
    expect([ids(own.frames), ids(full.frames)]).toEqual([[4], [1, 2, 3, 4]]);
    own.close();
    full.close();
  });

  test("purged while someone watches: the stream ends and says why, and the next asks gets 410", async () => {
    const session = await written(3);
    const stream = await openSse(site, `/sessions/${session}/events/stream`);
    await stream.until((frames) => frames.length === 4);
    expect((await site.call(`/sessions/${session}`, { method: "DELETE" })).status).toBe(204);
    await stream.ended;
    expect(stream.frames.at(-1)).toMatchObject({
      event: "end",
      id: null,
      data: expect.stringContaining("session_purged"),
    });
    expect(await errorOf(await site.call(`/sessions/${session}/events/stream`))).toMatchObject({
      status: 410,
      code: "session_purged",
    });
  });

  test("one actor gets so many streams and no more, and gets room again when one closes", async () => {
    const few = await startSite({ config: { limits: { streamsPerActor: 2 } } });
    const path = `/sessions/${await few.session()}/events/stream`;
    const [first] = [await openSse(few, path), await openSse(few, path)];
    const refused = await few.call(path);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await errorOf(refused)).toMatchObject({ status: 503, code: "too_many_connections" });
    const other = await openSse(few, path, { as: "viewer" });
    expect(other.response.status).toBe(200);
    first!.close();
    let again = await openSse(few, path);
    while (again.response.status !== 200) again = await openSse(few, path);
    expect(await (await few.call("/metrics")).text()).toContain("fairlead_open_streams 3");
    await few.close();
  });

  test("old and pipelining clients are served too", async () => {
    const session = await written(2);
    const path = `/sessions/${session}/events/stream`;
    const head = (version: string) =>
      `GET ${path} HTTP/${version}\r\nHost: 127.0.0.1:${site.port}\r\nAuthorization: Bearer ${site.tokens.viewer}\r\n\r\n`;
    const old = await raw(head("1.0"), (text) => text.includes("id: 3\n"));
    expect(old).toMatch(/^HTTP\/1\.1 200/);
    const health = `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${site.port}\r\n\r\n`;
    const both = await raw(health + head("1.1"), (text) => text.includes("id: 3\n"));
    expect(both.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    expect(both.indexOf('{"status":"ok"}')).toBeLessThan(both.indexOf("retry: 1000"));
  });

  test("a frame larger than a slice arrives whole, heartbeats or not", async () => {
    const quick = await startSite({ config: { limits: { heartbeatMs: 1 } } });
    const session = await quick.session();
    const big = Array.from({ length: 9 }, (_, i) => [`key${i}`, "é".repeat(15_000)]);
    const event = {
      type: "agent.tool.start",
      data: { name: "t", tool_call_id: "c", arguments: Object.fromEntries(big) },
    } as const;
    const stream = await openSse(quick, `/sessions/${session}/events/stream`);
    for (let i = 0; i < 20; i++) {
      const done = await quick.runtime.log.append({
        writes: [{ stream: session, events: [event, delta("x")] }],
      });
      expect(done.ok).toBe(true);
    }
    await stream.until((frames) => frames.length >= 41);
    expect(ids(stream.frames)).toEqual(Array.from({ length: 41 }, (_, i) => i + 1));
    expect(dataOf(stream.frames).every((frame) => typeof frame.seq === "number")).toBe(true);
    stream.close();
    await quick.close();
  });
});

describe("a turn's stream", () => {
  const start = (session: string, input = "hello", headers = {}) =>
    openSse(site, `/chat/sessions/${session}/turns`, { method: "POST", body: { input }, headers });

  test("is the session, the turn from start to end, and the end", async () => {
    const session = await written(3);
    const stream = await start(session);
    await stream.ended;
    const [first, ...rest] = dataOf(stream.frames);
    expect(first).toEqual({ type: "session", payload: { session_id: session } });
    expect(stream.frames[0]?.id).toBeNull();
    const types = rest.map(({ type }) => type);
    expect(types.slice(0, 3)).toEqual(["session_state", "turn_start", "turn_start_tools"]);
    expect(types.slice(-3)).toEqual(["turn_end", "completed", "session_state"]);
    expect([rest[0], rest.at(-1)].map((frame) => frame?.payload["status"])).toEqual(["running", "idle"]);
    expect(types).toContain("response");
    const seqs = ids(stream.frames.slice(1));
    expect(seqs).toEqual(seqs.map((_, i) => seqs[0]! + i));
    expect(dataOf(stream.frames).at(-2)?.payload["output"]).toBe("Here you are.");
    const { head_seq } = await site.runtime.log.read(session);
    expect([seqs[0], seqs.at(-1)]).toEqual([5, head_seq]);
  });

  test("repeated with the same key it is told again, and nothing runs twice", async () => {
    const session = await site.session();
    const key = { "idempotency-key": "turn-1" };
    const first = await start(session, "hello", key);
    await first.ended;
    const head = (await site.runtime.log.read(session)).head_seq;
    const again = await start(session, "hello", key);
    await again.ended;
    expect(dataOf(again.frames)).toEqual(dataOf(first.frames));
    expect((await site.runtime.log.read(session)).head_seq).toBe(head);
  });

  test("ends with `error` when someone stops the turn; who went away has stopped nothing", async () => {
    const session = await site.session();
    const stream = await start(session, "hang");
    const lost = await openSse(site, `/sessions/${session}/events/stream`);
    await stream.until((frames) => frames.length > 3);
    lost.close();
    expect(
      await errorOf(
        await site.call(`/chat/sessions/${session}/turns`, { method: "POST", body: { input: "more" } }),
      ),
    ).toMatchObject({ status: 409, code: "turn_active" });
    await site.call(`/chat/sessions/${session}/cancel`, { method: "POST", body: { reason: "enough" } });
    await stream.ended;
    expect(dataOf(stream.frames).slice(-2)).toMatchObject([
      { type: "error", payload: { code: "cancelled" } },
      { type: "session_state", payload: { status: "idle" } },
    ]);
  });

  test("is JSON unless asked for by name", async () => {
    for (const accept of ["*/*", "application/json", "text/event-stream;q=0", "text/html, */*"]) {
      const session = await site.session();
      const answer = await site.call(`/chat/sessions/${session}/turns`, {
        method: "POST",
        body: { input: "hi" },
        headers: { accept },
      });
      expect([accept, answer.status]).toEqual([accept, 202]);
      expect(await answer.json()).toMatchObject({ session_id: session, seq: expect.any(Number) });
      await site.idle(session);
    }
  });
});

describe("the feed of all streams", () => {
  const spec = (over: object) =>
    ({
      owner: "user",
      kind: "chat",
      project: null,
      broadcast: false,
      created_by: "operator",
      ...over,
    }) as const;

  async function stream(over: object): Promise<SessionId> {
    const id = site.runtime.ids.next("session");
    await site.runtime.log.append({
      writes: [{ stream: id, events: [delta("hello")], create: spec(over) as never }],
    });
    return id;
  }

  async function seenBy(as: string, after: number, last: string): Promise<Set<string>> {
    const feed = await openSse(site, `/events/stream?after=${after}`, { as });
    await feed.until((frames) => dataOf(frames).some((frame) => frame.session_id === last));
    feed.close();
    return new Set(dataOf(feed.frames).map((frame) => frame.session_id));
  }

  test("shows each what they may see, broadcasts to all, and the runtime's own to no one", async () => {
    const { events } = await site.runtime.log.readAll({ limit: 1000 });
    const after = events.at(-1)!.pos;
    const open = await stream({});
    const red = await stream({ project: "red" });
    const blue = await stream({ project: "blue" });
    const agents = await stream({ created_by: "agent" });
    const system = await stream({ owner: "system" });
    const news = await stream({ owner: "system", broadcast: true });
    const redToken = (await site.token("viewer", "red", "rosa")).secret;
    expect(await seenBy("viewer", after, news)).toEqual(new Set([open, red, blue, agents, news]));
    expect(await seenBy("admin", after, news)).toEqual(new Set([open, red, blue, agents, news]));
    expect(await seenBy(redToken, after, news)).toEqual(new Set([red, news]));
    expect(await seenBy("agent", after, news)).toEqual(new Set([agents, news]));
    expect(system).toMatch(/^ses_/);
  });

  test("resumes from any id, and refuses positions of another log", async () => {
    const feed = await openSse(site, "/events/stream");
    await feed.until((frames) => frames.length > 5);
    const middle = feed.frames[3]!;
    const later = await openSse(site, "/events/stream", { headers: { "last-event-id": middle.id! } });
    await later.until((frames) => frames.length > 1);
    expect(later.frames[0]).toEqual(feed.frames[4]);
    feed.close();
    later.close();
    expect((await errorOf(await site.call("/events/stream?after=123456789"))).code).toBe("invalid_cursor");
  });

  test("the newest events being trimmed, their cursor is still one", async () => {
    const session = await written(3);
    const last = await site.runtime.log.lastPosition();
    await site.call(`/sessions/${session}/trim`, { method: "POST", body: { up_to: 4 } });
    const feed = await openSse(site, `/events/stream?after=${last}`);
    expect(feed.response.status).toBe(200);
    await site.write(session, 1, "after the trim ");
    await feed.until((frames) => dataOf(frames).some((frame) => frame.session_id === session));
    feed.close();
    const head = await site.runtime.log.lastPosition();
    expect(await errorOf(await site.call(`/events/stream?after=${head + 1}`))).toMatchObject({
      status: 400,
      code: "invalid_cursor",
      body: { details: { head } },
    });
  });

  test("`after=latest` begins at the end, and says where that is", async () => {
    const session = await written(3);
    const head = await site.runtime.log.lastPosition();
    const feed = await openSse(site, "/events/stream?after=latest");
    await feed.until((frames) => frames.length === 1);
    expect(feed.frames[0]).toEqual({ id: String(head), event: null, data: null });
    await site.write(session, 1, "new ");
    await feed.until((frames) => frames.length === 2);
    expect(dataOf(feed.frames)).toMatchObject([{ session_id: session, payload: { text: "new 0" } }]);
    feed.close();
  });

  test("`until=latest` ends where the log ended, whatever stood there", async () => {
    const session = await written(3);
    const shown = async (after: number) => {
      const text = await (await site.call(`/events/stream?until=latest&after=${after}`)).text();
      return [...text.matchAll(/^id: (\d+)\ndata: /gm)].map(([, id]) => Number(id));
    };
    const head = await site.runtime.log.lastPosition();
    expect(await shown(head - 3)).toEqual([head - 2, head - 1, head]);
    expect(await shown(head)).toEqual([]);
    // A fact that no face shows, and one that is gone.
    await site.token("viewer");
    expect(await shown(head - 3)).toEqual([head - 2, head - 1, head]);
    await site.write(session, 1);
    await site.runtime.log.trim(session, 5);
    expect(await shown(head)).toEqual([]);
  });

  test("moves past what it does not show", async () => {
    // Someone follows throughout: what happens after the last one left is the next test's matter.
    const keeper = await openSse(site, "/events/stream");
    const hidden = await site.token("viewer", "nothing here", "nils");
    const own = await site.session();
    await site.write(own, 600);
    const { events } = await site.runtime.log.readAll({ limit: 1000 });
    const from = events.find(({ event }) => event.stream === own)!.pos;
    const blind = await openSse(site, `/events/stream?after=${from}`, { as: hidden.secret });
    await blind.until((frames) => frames.length > 0);
    expect(blind.frames.every(({ data }) => data === null)).toBe(true);
    expect(Number(blind.frames.at(-1)!.id)).toBeGreaterThan(from + 255);
    blind.close();
    keeper.close();
  });

  test("who comes after everyone had left sees what was written in between", async () => {
    const lone = await startSite();
    const session = await lone.session();
    const first = await openSse(lone, "/events/stream");
    await first.until((frames) => frames.length > 0);
    await lone.write(session, 1);
    await first.until((frames) => frames.length > 1);
    const cursor = first.frames.at(-1)!.id!;
    first.close();
    while (!(await (await lone.call("/metrics")).text()).includes("fairlead_open_streams 0")) await sleep(5);
    await lone.write(session, 3);
    const second = await openSse(lone, "/events/stream", { headers: { "last-event-id": cursor } });
    await second.until((frames) => frames.length >= 3);
    await lone.close();
  }, 5_000);

  test("the end of the log is a cursor too, also after the last session was purged", async () => {
    const session = await written(3);
    const feed = await openSse(site, "/events/stream");
    await feed.until((frames) => dataOf(frames).filter((frame) => frame.session_id === session).length === 4);
    feed.close();
    const last = feed.frames.at(-1)!.id!;
    await site.runtime.services.sessions.purge(SYSTEM_ACTOR, session, "test");
    const again = await openSse(site, "/events/stream", { headers: { "last-event-id": last } });
    expect(again.response.status).toBe(200);
    const next = await site.session();
    await again.until((frames) => dataOf(frames).some((frame) => frame.session_id === next));
    again.close();
  });
});

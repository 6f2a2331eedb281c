import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type ClientOptions, WebSocket } from "ws";
import { bearer, dialRaw, FRAME, frame, handshake, pingUnread } from "./raw.ts";
import { type Frame, openSse, type Site, sseParser, startSite } from "./support.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

interface Options {
  readonly as?: string | null;
  readonly headers?: Record<string, string>;
  readonly socket?: ClientOptions;
}

function dial(path: string, { as = site.tokens.viewer, headers = {}, socket }: Options = {}): WebSocket {
  return new WebSocket(`${site.url.replace("http", "ws")}${path}`, {
    headers: { ...(as === null ? {} : { authorization: `Bearer ${as}` }), ...headers },
    ...socket,
  });
}

function heard(socket: WebSocket) {
  const frames: Frame[] = [];
  let text = "";
  const decoder = new TextDecoder();
  const parse = sseParser((frame) => frames.push(frame));
  socket.on("message", (bytes: Buffer, binary) => {
    expect(binary).toBe(true);
    const part = decoder.decode(bytes, { stream: true });
    text += part;
    parse(part);
  });
  return {
    frames,
    text: () => text,
    async until(test: (frames: readonly Frame[]) => boolean): Promise<void> {
      while (!test(frames)) await once(socket, "message");
    },
  };
}

/** The status that a handshake was refused with. */
async function refusal(path: string, options: Options): Promise<{ status: number; body: string }> {
  const socket = dial(path, options);
  const [, response] = (await once(socket, "unexpected-response")) as [unknown, IncomingMessage];
  let body = "";
  for await (const part of response) body += String(part);
  return { status: response.statusCode ?? 0, body };
}

test("a stream over a WebSocket is the same bytes, and goes on from a cursor", async () => {
  const session = await site.session();
  await site.write(session, 3, "grüße 🚢 ".repeat(20_000));
  const path = `/sessions/${session}/events/stream`;
  const plain = await openSse(site, path);
  const socket = dial(path);
  const carried = heard(socket);
  const last = (frames: readonly Frame[]): boolean => frames.at(-1)?.id === "4";
  await Promise.all([plain.until(last), carried.until(last)]);
  expect(carried.text()).toBe(plain.text());
  await site.write(session, 1, "live");
  await carried.until((frames) => frames.at(-1)?.id === "5");
  plain.close();
  socket.terminate();

  const later = dial(`${path}?after=4`);
  const rest = heard(later);
  await rest.until((frames) => frames.length > 0);
  expect(rest.frames.map(({ id }) => id)).toEqual(["5"]);
  later.terminate();
});

test("it passes the same gate: nobody, another's page, a session that is not there", async () => {
  const session = await site.session();
  const path = `/sessions/${session}/events/stream`;
  expect(await refusal(path, { as: null })).toMatchObject({ status: 401 });
  const foreign = await refusal(path, { headers: { origin: "http://evil.example" } });
  expect(foreign.status).toBe(403);
  expect(JSON.parse(foreign.body)).toMatchObject({ code: "bad_origin" });
  expect(await refusal(path, { headers: { host: "evil.example" } })).toMatchObject({ status: 403 });
  expect(await refusal("/sessions/ses_none/events/stream", {})).toMatchObject({ status: 404 });
  expect(await refusal(`${path}?after=99`, {})).toMatchObject({ status: 400 });
  expect(await refusal("/nowhere/stream", {})).toMatchObject({ status: 404 });
});

test("what is no handshake is refused in words; another protocol gets the stream as any other answer", async () => {
  const session = await site.session();
  const ask = async (upgrade: string): Promise<IncomingMessage> => {
    const { port } = site;
    const path = `/sessions/${session}/events/stream`;
    const headers = { authorization: `Bearer ${site.tokens.viewer}`, connection: "upgrade", upgrade };
    const [response] = (await once(get({ port, path, headers }), "response")) as [IncomingMessage];
    return response;
  };
  const broken = await ask("websocket");
  expect(broken.statusCode).toBe(400);
  expect(JSON.parse(String((await once(broken, "data"))[0]))).toMatchObject({ code: "bad_request" });
  const other = await ask("h2c");
  expect(other.headers["content-type"]).toContain("text/event-stream");
  expect(String((await once(other, "data"))[0])).toContain("retry: 1000");
  other.destroy();
});

test("what a reader sends is heard by nobody, and too much of it ends the connection", async () => {
  const session = await site.session();
  const socket = dial(`/sessions/${session}/events/stream`);
  const carried = heard(socket);
  await once(socket, "open");
  socket.send("hello");
  await site.write(session, 1);
  await carried.until((frames) => frames.at(-1)?.id === "2");
  socket.send(Buffer.alloc(1_000_000));
  await once(socket, "close");
  expect((await site.runtime.log.read(session)).head_seq).toBe(2);
});

test("a token that is revoked ends it, and says why", async () => {
  const { secret, id } = await site.token("viewer");
  const session = await site.session();
  const socket = dial(`/sessions/${session}/events/stream`, { as: secret });
  const carried = heard(socket);
  await carried.until((frames) => frames.length > 0);
  expect((await site.call(`/tokens/${id}`, { method: "DELETE" })).ok).toBe(true);
  await once(socket, "close");
  expect(carried.frames.at(-1)).toMatchObject({
    event: "end",
    data: expect.stringContaining("unauthorized"),
  });
});

test("a server that stops says so, and does not wait for a reader that never closes", async () => {
  // So long that nothing but the stream itself can end it.
  const other = await startSite({ config: { limits: { stopMs: 600_000 } } });
  const path = `/sessions/${await other.session()}/events/stream`;
  const mute = await dialRaw(other.port, handshake(other.port, path, bearer(other.tokens.viewer)));
  await mute.until((text) => text.includes("id: 1\n"));
  await other.close();
  await mute.until((text) => text.includes("shutting_down"));
  expect(mute.statuses()).toEqual([101]);
});

test("who pings and does not read is owed one answer, not each", async () => {
  const path = `/sessions/${await site.session()}/events/stream`;
  const reader = await dialRaw(site.port, handshake(site.port, path, bearer(site.tokens.viewer)));
  await reader.until((text) => text.includes("id: 1\n"));
  const { sent, heard } = await pingUnread(reader);
  expect(heard).toBeLessThan(sent / 2);
  reader.socket.write(frame(FRAME.ping, "read again"));
  await reader.until((text) => text.endsWith("read again"));
});

test("a message in ever more parts ends the connection", async () => {
  const path = `/sessions/${await site.session()}/events/stream`;
  const reader = await dialRaw(site.port, handshake(site.port, path, bearer(site.tokens.viewer)));
  await reader.until((text) => text.includes("id: 1\n"));
  const ended = once(reader.socket, "end");
  reader.socket.write(frame(FRAME.open, "x"));
  for (let parts = 0; parts < 100; parts++) reader.socket.write(frame(FRAME.more));
  await ended;
  expect(reader.text()).toContain("\u0088");
});

test("who has said goodbye and stays is cut off with the next word", async () => {
  const other = await startSite({ config: { limits: { connections: 1 } } });
  onTestFinished(() => other.close());
  const session = await other.session();
  const path = `/sessions/${session}/events/stream`;
  const reader = await dialRaw(other.port, handshake(other.port, path, bearer(other.tokens.viewer)));
  await reader.until((text) => text.includes("id: 1\n"));
  reader.socket.write(frame(FRAME.close, "\u0003\u00e8"));
  await once(reader.socket, "end");
  expect((await other.call("/healthz")).status).toBe(503);
  await other.write(session, 1);
  while ((await other.call("/healthz")).status === 503);
});

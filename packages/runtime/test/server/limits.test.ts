import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorOf, openSse, type Site, startSite } from "./support.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite({ config: { limits: { headersMs: 300, requestMs: 600, connections: 40 } } });
});
afterAll(() => site.close());

/** Sends bytes as they are; resolves with all that came until the server closed. */
function send(bytes: string | Buffer, then?: (socket: Socket) => void): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(site.port, "127.0.0.1", () => {
      socket.write(bytes);
      then?.(socket);
    });
    socket.setEncoding("utf8").on("data", (chunk) => (received += chunk));
    socket.on("error", () => {});
    socket.on("close", () => resolve(received));
  });
}

const host = () => `Host: 127.0.0.1:${site.port}`;
const auth = () => `Authorization: Bearer ${site.tokens.admin}`;

function parsed(answer: string): { status: number; code: string; id: string | undefined } {
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  const { code, hint, message, request_id } = JSON.parse(body) as Record<string, string>;
  expect([typeof hint, typeof message]).toEqual(["string", "string"]);
  return { status: Number(head.split(" ")[1]), code: code!, id: request_id };
}

test("a body over the limit gets 413, said beforehand or not", async () => {
  const big = "x".repeat(1024 * 1024 + 1);
  expect(
    await errorOf(await site.call("/chat/sessions", { method: "POST", body: { title: big } })),
  ).toMatchObject({ status: 413, code: "payload_too_large" });
  const chunk = `${(64 * 1024).toString(16)}\r\n${"x".repeat(64 * 1024)}\r\n`;
  const chunked = `POST /chat/sessions HTTP/1.1\r\n${host()}\r\n${auth()}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
  expect(parsed(await send(chunked + chunk.repeat(17)))).toMatchObject({
    status: 413,
    code: "payload_too_large",
  });
});

test("a body that does not come as promised changes nothing", async () => {
  const head = (length: number) =>
    `POST /chat/sessions HTTP/1.1\r\n${host()}\r\n${auth()}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  const before = (await site.runtime.log.readAll()).events.length;
  expect(parsed(await send(`${head(100)}{}`))).toMatchObject({ status: 400, code: "bad_request" });
  await send(`${head(100)}{}`, (socket) => socket.destroy());
  expect((await site.runtime.log.readAll()).events.length).toBe(before);
});

test("headers over the limit get 431", async () => {
  const answer = await send(`GET /healthz HTTP/1.1\r\n${host()}\r\nX-Long: ${"x".repeat(17 * 1024)}\r\n\r\n`);
  expect(parsed(answer)).toMatchObject({ status: 431, code: "headers_too_large" });
});

test("a URL over the limit, or not well encoded, gets 400", async () => {
  for (const path of [
    `/healthz?x=${"x".repeat(9 * 1024)}`,
    "/sessions/%zz",
    "/sessions/%ff/events",
    `/sessions/${"a".repeat(400)}`,
  ]) {
    const answer = await errorOf(await site.call(path));
    expect([answer.status, answer.code]).toEqual([400, "bad_request"]);
  }
});

test.each([
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/xml",
  "nonsense",
  "application/json-patch+json",
])("a body as %s gets 415", async (type) => {
  const answer = await site.call("/chat/sessions", {
    method: "POST",
    body: "{}",
    headers: { "content-type": type },
  });
  expect(await errorOf(answer)).toMatchObject({ status: 415, code: "unsupported_media_type" });
});

test("a compressed body gets 415, and bytes that are no UTF-8 get 400", async () => {
  const zipped = await site.call("/chat/sessions", {
    method: "POST",
    body: "{}",
    headers: { "content-encoding": "gzip" },
  });
  expect((await errorOf(zipped)).code).toBe("unsupported_media_type");
  const response = await fetch(`${site.url}/chat/sessions`, {
    method: "POST",
    body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    headers: { authorization: `Bearer ${site.tokens.admin}`, "content-type": "application/json" },
  });
  expect((await errorOf(response)).body.details.issues[0]?.problem).toBe("Not UTF-8.");
});

describe("what is not HTTP", () => {
  test.each([
    ["noise", Buffer.from([0, 1, 2, 3, 255, 254, 13, 10, 13, 10])],
    ["TLS", Buffer.from("16030100a5010000a1030364", "hex")],
    ["SSH", "SSH-2.0-OpenSSH_9.6\r\n\r\n"],
    ["another version", "GET / HTTP/9.9\r\nHost: x\r\n\r\n"],
    ["two lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"],
    [
      "length and chunks",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["a bad chunk", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"],
    ["a header without name", "GET / HTTP/1.1\r\n: x\r\n\r\n"],
  ])("%s gets an error in JSON and a closed connection", async (_name, bytes) => {
    const answer = await send(bytes);
    const { status, code } = parsed(answer);
    expect([400, 403]).toContain(status);
    expect(["bad_request", "bad_host"]).toContain(code);
  });

  test("no Host, and a method nobody knows", async () => {
    expect(parsed(await send("GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n"))).toMatchObject({
      status: 403,
      code: "bad_host",
    });
    expect(parsed(await send(`GET /healthz HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n`))).toMatchObject({
      status: 403,
      code: "bad_host",
    });
    expect(
      parsed(await send(`BREW /healthz HTTP/1.1\r\n${host()}\r\nConnection: close\r\n\r\n`)),
    ).toMatchObject({ status: 400 });
    expect(
      parsed(await send(`PROPFIND /healthz HTTP/1.1\r\n${host()}\r\nConnection: close\r\n\r\n`)).status,
    ).toBeLessThan(500);
  });

  test("an expectation nobody can meet", async () => {
    const answer = await send(
      `POST /chat/sessions HTTP/1.1\r\n${host()}\r\nExpect: wonders\r\nContent-Length: 2\r\n\r\n{}`,
    );
    expect(parsed(answer)).toMatchObject({ status: 400, code: "bad_request" });
  });

  test("garbage after a stream has begun does not get into it", async () => {
    const session = await site.session();
    await site.write(session, 2);
    const answer = await send(
      `GET /sessions/${session}/events/stream HTTP/1.1\r\n${host()}\r\n${auth()}\r\n\r\n`,
      (socket) => {
        socket.on("data", () => socket.write("\0\0\0\r\n\r\n"));
      },
    );
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(answer).not.toContain("bad_request");
  });
});

test("who sends slowly is cut, and everyone else is served meanwhile", async () => {
  const start = performance.now();
  const slow = Array.from({ length: 10 }, (_, i) =>
    send("GET /healthz HTTP/1.1\r\n", async (socket) => {
      for (let n = 0; n < 40 && !socket.destroyed; n++) {
        socket.write(`X-${n}: ${i}\r\n`);
        await sleep(100);
      }
    }),
  );
  await sleep(100);
  expect((await site.call("/healthz")).status).toBe(200);
  for (const answer of await Promise.all(slow))
    if (answer !== "") expect(parsed(answer).code).toBe("bad_request");
  expect(performance.now() - start).toBeLessThan(3_500);
});

test("connections over the limit are told so, and there is room again afterwards", async () => {
  const session = await site.session();
  const streams = await Promise.all(
    Array.from({ length: 40 }, () => openSse(site, `/sessions/${session}/events/stream`)),
  );
  const statuses = new Set(streams.map(({ response }) => response.status));
  const over = parsed(await send(`GET /healthz HTTP/1.1\r\n${host()}\r\n\r\n`));
  expect(over).toMatchObject({ status: 503, code: "too_many_connections" });
  expect(statuses.has(200)).toBe(true);
  for (const stream of streams) stream.close();
  let status = 503;
  for (let tries = 0; status === 503 && tries < 100; tries++) {
    await sleep(20);
    status = (await site.call("/healthz")).status;
  }
  expect(status).toBe(200);
});

test("nothing of this was a failure of the server", () => {
  const failures = site.logged.filter(
    ({ level, entry }) => level === "error" && entry["code"] !== "too_many_connections",
  );
  expect(failures).toEqual([]);
});

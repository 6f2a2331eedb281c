import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openSse, type Site, startSite } from "./support.ts";

function socketTo(
  site: Site,
  text: string,
): Promise<{ socket: Socket; received: () => string; closed: Promise<void> }> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(site.port, "127.0.0.1", () => {
      socket.write(text);
      resolve({ socket, received: () => received, closed });
    });
    const closed = new Promise<void>((done) => socket.on("close", () => done()));
    socket.setEncoding("utf8").on("data", (chunk) => (received += chunk));
    socket.on("error", reject);
  });
}

const get = (site: Site, path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${site.port}\r\nAuthorization: Bearer ${site.tokens.admin}\r\n\r\n`;

test("streams end with a hint to come back, idle connections close, and it is quick", async () => {
  const site = await startSite();
  const session = await site.session();
  await site.write(session, 5);
  const stream = await openSse(site, `/sessions/${session}/events/stream`);
  await stream.until((frames) => frames.length === 6);
  const idle = await socketTo(site, get(site, "/healthz"));
  const silent = await socketTo(site, "");
  while (!idle.received().includes("ok")) await sleep(5);
  const start = performance.now();
  await site.close();
  expect(performance.now() - start).toBeLessThan(2_000);
  await Promise.all([stream.ended, idle.closed, silent.closed]);
  expect(stream.text()).toContain("retry: 500\n");
  expect(stream.comments).toContain("reconnect with your last event id");
  expect(stream.frames.at(-1)).toMatchObject({
    event: "end",
    id: null,
    data: expect.stringContaining("shutting_down"),
  });
  await expect(fetch(`${site.url}/healthz`)).rejects.toThrow("fetch failed");
});

test("a request under way is answered; a new one on an old connection is told that it stops", async () => {
  const site = await startSite();
  const { sessions } = site.runtime.services;
  const { list } = sessions;
  let arrived = 0;
  let release = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  sessions.list = async (...args) => {
    arrived += 1;
    await gate;
    return list(...args);
  };
  const slow = site.call("/sessions");
  const kept = await socketTo(site, get(site, "/sessions"));
  while (arrived < 2) await sleep(5);
  const closing = site.server.close();
  const again = site.server.close();
  kept.socket.write(get(site, "/healthz"));
  await sleep(50);
  release();
  expect((await slow).status).toBe(200);
  await kept.closed;
  const statuses = kept.received().match(/HTTP\/1\.1 \d+/g);
  expect(statuses?.[0]).toBe("HTTP/1.1 200");
  expect(statuses?.slice(1).every((status) => status === "HTTP/1.1 503")).toBe(true);
  await Promise.all([closing, again]);
  await site.runtime.stop();
});

test("what does not end by itself is cut after the time that was set", async () => {
  const site = await startSite({ config: { limits: { stopMs: 200 } } });
  const { sessions } = site.runtime.services;
  sessions.list = () => new Promise(() => {});
  const stuck = site.call("/sessions").then(
    () => "answered",
    () => "cut",
  );
  await sleep(50);
  const start = performance.now();
  await site.server.close();
  expect(performance.now() - start).toBeLessThan(1_000);
  expect(await stuck).toBe("cut");
  await site.runtime.stop();
});

test("a reader that has stopped reading does not hold it up", async () => {
  const site = await startSite({ config: { limits: { stopMs: 500 } } });
  const session = await site.session();
  const { socket } = await socketTo(site, get(site, `/sessions/${session}/events/stream`));
  await sleep(50);
  socket.pause();
  for (let i = 0; i < 40; i++) await site.write(session, 20, "x".repeat(20_000));
  const start = performance.now();
  await site.close();
  expect(performance.now() - start).toBeLessThan(1_500);
  socket.destroy();
});

test("the log closing under open streams ends them as a stop does", async () => {
  const site = await startSite();
  const stream = await openSse(site, `/sessions/${await site.session()}/events/stream`);
  await stream.until((frames) => frames.length === 1);
  await site.runtime.stop();
  await stream.ended;
  expect(stream.frames.at(-1)).toMatchObject({
    event: "end",
    data: expect.stringContaining("shutting_down"),
  });
  await site.server.close();
});

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../stores.ts";
import type { Ready, Written } from "./slow-reader.child.ts";
import { sseParser } from "./support.ts";

const MB = 1024 * 1024;
const READERS = 20;
const EVENT = 4_000;
const EVENTS = Math.ceil((50 * MB) / EVENT);
/** The backlog of one reader is 50 MB, of all of them 1,000 MB. */
const ROOM = 25 * MB;

let folder: ReturnType<typeof temporaryFolder>;
let child: ChildProcess;
let ready: Ready;
beforeEach(async () => {
  folder = temporaryFolder();
  const script = fileURLToPath(new URL("slow-reader.child.ts", import.meta.url));
  child = fork(script, [folder.path, String(EVENTS), String(EVENT)], { execArgv: ["--expose-gc"] });
  [ready] = (await once(child, "message")) as [Ready];
});
afterEach(async () => {
  child.send("stop");
  await once(child, "exit");
  folder.remove();
});

interface Reader {
  readonly socket: Socket;
  readonly ids: number[];
}

function reader(onFirst: (socket: Socket) => void): Promise<Reader> {
  return new Promise((resolve, reject) => {
    const ids: number[] = [];
    const parse = sseParser(({ id }) => {
      ids.push(Number(id));
      if (ids.length > 1) return;
      onFirst(socket);
      resolve({ socket, ids });
    });
    const socket = connect(ready.port, "127.0.0.1");
    socket.write(
      `GET /sessions/${ready.session}/events/stream HTTP/1.1\r\nHost: 127.0.0.1:${ready.port}\r\nAuthorization: Bearer ${ready.token}\r\n\r\n`,
    );
    let head = "";
    let inBody = false;
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      if (inBody) return parse(chunk);
      head += chunk;
      const at = head.indexOf("\r\n\r\n");
      if (at === -1) return;
      inBody = true;
      parse(head.slice(at + 4));
    });
    socket.on("error", reject);
  });
}

async function upTo({ ids }: Reader, head: number): Promise<void> {
  while (ids.at(-1) !== head) await sleep(10);
}

test("sockets that stop reading cost the server no memory, and miss nothing when they read on", async () => {
  const slow = await Promise.all(Array.from({ length: READERS }, () => reader((socket) => socket.pause())));
  const quick = await reader(() => {});
  child.send("write");
  const [written] = (await once(child, "message")) as [Written];
  expect((written.most - written.before) / MB).toBeLessThan(ROOM / MB);
  // The store's own cache and what the collector leaves lying are in this one.
  expect((written.rss - written.rssBefore) / MB).toBeLessThan(300);

  // Whoever reads is not held up by those who do not.
  await upTo(quick, written.head);
  const whole = Array.from({ length: written.head }, (_, i) => i + 1);
  expect(quick.ids).toEqual(whole);
  expect(slow.every(({ ids }) => ids.length < written.head / 2)).toBe(true);

  for (const one of slow.slice(0, 2)) {
    one.socket.resume();
    await upTo(one, written.head);
    expect(one.ids).toEqual(whole);
  }
  for (const { socket } of [...slow, quick]) socket.destroy();
}, 60_000);

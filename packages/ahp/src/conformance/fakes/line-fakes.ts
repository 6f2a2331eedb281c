import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { Socket } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { stdio } from "../../stdio/client.ts";
import { unix } from "../../unix/client.ts";
import type { Fake } from "./fake.ts";
import { createScript } from "./fake.ts";

export async function unixFake(): Promise<Fake> {
  const folder = await mkdtemp(join(tmpdir(), "ahp-fake-"));
  const path = join(folder, "fake.sock");
  const script = createScript();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    readLines(socket, async (text) => {
      const { texts = [], bytes = [], cut } = await script.take({ text });
      if (cut) return void socket.destroy();
      for (const one of texts) socket.write(`${one}\n`);
      for (const piece of bytes) {
        socket.write(piece);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    });
  });
  server.listen(path);
  await once(server, "listening");
  return Object.assign(script, {
    url: `unix:${path}`,
    transport: () => unix({ path }),
    cut: () => sockets.forEach((socket) => socket.destroy()),
    async close() {
      server.close();
      sockets.forEach((socket) => socket.destroy());
      await rm(folder, { recursive: true, force: true });
    },
  });
}

/** A child process that passes its bytes on to the Unix fake. */
const RELAY = `
const socket = require("node:net").connect(process.argv[1]);
process.stdin.pipe(socket);
socket.pipe(process.stdout);
socket.on("error", () => process.exit());
socket.on("close", () => process.exit());
`;

export async function stdioFake(): Promise<Fake> {
  const fake = await unixFake();
  const args = ["-e", RELAY, fake.url.slice("unix:".length)];
  return Object.assign(fake, { transport: () => stdio({ command: process.execPath, args }) });
}

function readLines(socket: Socket, take: (line: string) => Promise<void>): void {
  let rest = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) void take(line);
  });
}

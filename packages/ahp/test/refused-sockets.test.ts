import { once } from "node:events";
import { connect, type Socket } from "node:net";

import { expect, it, onTestFinished } from "vitest";

import { createServer } from "../src/index.ts";
import { serveWebSocket } from "../src/websocket/index.ts";

const server = createServer<void>({ decide: () => ({ decision: "allow" }) });

/** A peer that ends nothing by itself. */
async function dial(url: string): Promise<Socket> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  socket.write(
    `GET ${pathname}?token=x HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  );
  return socket;
}

it("lets go of who is refused, though the peer does not, and closes", async () => {
  const harness = await serveWebSocket(server, { authenticate: () => null });
  const socket = await dial(harness.url);
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(String(answer)).toContain("401 Unauthorized");
  await harness.close();
});

it("closes while it still asks who somebody is", async () => {
  const { promise: asked, resolve: arrived } = Promise.withResolvers<void>();
  const harness = await serveWebSocket(server, {
    authenticate() {
      arrived();
      return new Promise<null>(() => {});
    },
  });
  const socket = await dial(harness.url);
  const gone = once(socket, "end");
  socket.resume();
  await asked;
  await harness.close();
  await gone;
  expect(socket.bytesRead).toBe(0);
});

import { once } from "node:events";

import { WebSocket } from "ws";

import type { Wire } from "./wire.ts";
import { createInbox } from "./wire.ts";

export interface WebSocketWire extends Wire {
  sendBinary(bytes: Uint8Array): void;
  /** Resolves with the pong's payload. */
  ping(payload: string): Promise<string>;
}

export async function websocketWire(url: string): Promise<WebSocketWire> {
  const socket = new WebSocket(url, { perMessageDeflate: false, skipUTF8Validation: true });
  const inbox = createInbox();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  socket.on("message", (data: Buffer, isBinary: boolean) => {
    inbox.put(isBinary ? "(a binary frame)" : data.toString());
  });
  socket.on("close", () => resolve());
  await once(socket, "open");
  socket.on("error", () => resolve());
  return {
    inbox,
    ended,
    close: async () => socket.terminate(),
    send: (message) => new Promise((done) => socket.send(message, { binary: false }, () => done())),
    sendBinary: (bytes) => socket.send(bytes, { binary: true }),
    async ping(payload) {
      socket.ping(payload);
      const [pong] = (await once(socket, "pong", { signal: AbortSignal.timeout(5_000) })) as [Buffer];
      return pong.toString();
    },
  };
}

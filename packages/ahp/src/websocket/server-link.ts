import type { Duplex } from "node:stream";

import type { RawData, WebSocket } from "ws";

import { isPromise } from "../awaitable.ts";
import { AhpError } from "../protocol/errors.ts";
import type { Link } from "../transport/link.ts";

const SLOW_BYTES = 256 * 1024;
const LINGER_MS = 1_000;
const NORMAL = 1000;

/** A link over a `ws` socket; `stream` is the connection below it. */
export function serverLink(socket: WebSocket, stream: Duplex, maxBufferedBytes: number): Link {
  let isCorked = false;

  /** Frames made in one turn of the event loop leave in one write. */
  function gather(): void {
    if (isCorked) return;
    isCorked = true;
    stream.cork();
    process.nextTick(() => {
      isCorked = false;
      stream.uncork();
    });
  }

  return {
    send(text) {
      if (socket.readyState !== socket.OPEN) return;
      gather();
      if (socket.bufferedAmount < SLOW_BYTES) return socket.send(text);
      if (socket.bufferedAmount > maxBufferedBytes) return socket.terminate();
      return new Promise((resolve) => socket.send(text, () => resolve()));
    },
    listen(sink) {
      let error: AhpError | undefined;
      socket.on("message", (data: RawData, isBinary: boolean) => {
        if (isBinary) return sink.garbage(new AhpError("invalid_request", "A message is a text frame"));
        const patience = sink.message((data as Buffer).toString());
        if (!isPromise(patience)) return;
        socket.pause();
        void patience.then(() => socket.resume());
      });
      // Bad framing, bad UTF-8 or too large a message: `ws` has told the peer and closes.
      socket.on("error", (cause) => {
        error = new AhpError("connection_lost", `The connection broke: ${cause.message}`, {
          cause,
        });
      });
      socket.on("close", () => sink.closed(error));
    },
    async close() {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (socket.readyState === socket.CLOSED) return;
      socket.once("close", () => resolve());
      socket.close(NORMAL);
      const timer = setTimeout(() => socket.terminate(), LINGER_MS);
      await promise;
      clearTimeout(timer);
    },
  };
}

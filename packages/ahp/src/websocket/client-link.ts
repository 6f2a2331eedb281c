import { isPromise } from "../awaitable.ts";
import { AhpError } from "../protocol/errors.ts";
import { within } from "../within.ts";
import { MAX_MESSAGE_BYTES } from "../transport/limits.ts";
import type { Link } from "../transport/link.ts";

const SLOW_BYTES = 1024 * 1024;
const LOOK_AGAIN_MS = 5;
const LINGER_MS = 1_000;
/** Close codes of the WebSocket protocol. */
const NORMAL = 1000;
const TOO_BIG = 1009;

export interface WebSocketLinkOptions {
  readonly maxMessageBytes?: number;
}

/** A link over an open socket of the kind that browsers and Node have built in. */
export function websocketLink(socket: WebSocket, options: WebSocketLinkOptions = {}): Link {
  const { maxMessageBytes = MAX_MESSAGE_BYTES } = options;
  const { promise: gone, resolve: setGone } = Promise.withResolvers<void>();
  socket.addEventListener("close", () => setGone());

  async function room(): Promise<void> {
    while (socket.bufferedAmount > SLOW_BYTES && socket.readyState === socket.OPEN) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  }

  return {
    send(text) {
      if (socket.readyState !== socket.OPEN) return;
      socket.send(text);
      if (socket.bufferedAmount > SLOW_BYTES) return room();
    },
    listen(sink) {
      let turn: Promise<void> | undefined;
      let fault: AhpError | undefined;
      function give(text: string): void {
        const patience = sink.message(text);
        if (isPromise(patience)) turn = patience;
      }
      socket.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
        if (typeof data !== "string") {
          return sink.garbage(new AhpError("invalid_request", "A message is a text frame"));
        }
        // This API cannot stop reading, so a message that is too large is seen only now.
        if (data.length > maxMessageBytes) {
          fault = new AhpError("message_too_large", `A message is longer than ${maxMessageBytes}`);
          return socket.close(NORMAL);
        }
        if (turn === undefined) give(data);
        else turn = turn.then(() => give(data));
      });
      socket.addEventListener("close", ({ code, wasClean }) => {
        sink.closed(fault ?? (code === NORMAL && wasClean ? undefined : lost(code)));
      });
    },
    async close() {
      socket.close(NORMAL);
      await within(LINGER_MS, gone);
    },
  };
}

function lost(code: number): AhpError {
  if (code === TOO_BIG) return new AhpError("message_too_large", "The harness refuses so long a message");
  return new AhpError("connection_lost", `The connection broke (close code ${code})`);
}

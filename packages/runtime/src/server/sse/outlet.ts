import type { ServerResponse } from "node:http";
import type { Pipe } from "./pipe.ts";

/** The most that is handed to a socket at once. */
const SLICE = 64 * 1024;

/** One open stream. Writes go straight to the socket; what it does not take stops the writer. */
export interface Outlet {
  readonly closed: boolean;
  /** Aborts when the client has gone or the stream was ended. */
  readonly signal: AbortSignal;
  /** The socket has not taken what it was given: the writer waits. */
  readonly heldUp: boolean;
  /** Whole frames. Undefined: written at once. Else wait for it, because slices still follow. */
  send(bytes: Buffer): Promise<void> | undefined;
  /** Resolves when the socket takes more, or has closed. */
  drained(): Promise<void>;
  /** For what may be left out: false, and nothing written, when the socket is held up. */
  nudge(text: string): boolean;
  /** Says a last word, unless a frame is half written, and ends the stream. */
  end(text?: string): void;
}

export function createOutlet(res: ServerResponse, { sink, write, end }: Pipe): Outlet {
  const gone = new AbortController();
  let closed = false;
  let midFrame = false;
  let wake: (() => void) | undefined;
  const { socket } = res.req;

  function close(): void {
    if (closed) return;
    closed = true;
    gone.abort();
    wake?.();
  }

  function drained(): Promise<void> {
    return new Promise((resolve) => {
      if (closed || !sink.writableNeedDrain) resolve();
      else {
        wake = () => {
          wake = undefined;
          resolve();
        };
      }
    });
  }

  async function sendSlices(bytes: Buffer): Promise<void> {
    midFrame = true;
    for (let at = 0; at < bytes.length; at += SLICE) {
      if (sink.writableNeedDrain) await drained();
      if (closed) return;
      write(bytes.subarray(at, at + SLICE));
    }
    midFrame = false;
  }

  res.on("close", close);
  res.on("error", close);
  sink.on("drain", () => wake?.());
  if (socket.destroyed) close();
  socket.setNoDelay(true);
  socket.setTimeout(0);
  // Finds peers that vanished without a word; one that only does not read answers the probes.
  socket.setKeepAlive(true, 30_000);

  return {
    get closed() {
      return closed;
    },
    signal: gone.signal,
    get heldUp() {
      return !closed && sink.writableNeedDrain;
    },
    send(bytes) {
      if (closed) return undefined;
      if (bytes.length > SLICE) return sendSlices(bytes);
      write(bytes);
      return undefined;
    },
    drained,
    nudge(text) {
      if (closed || midFrame || sink.writableNeedDrain) return false;
      write(text);
      return true;
    },
    end(text) {
      if (closed) return;
      if (text !== undefined && !midFrame) write(text);
      end();
      close();
    },
  };
}

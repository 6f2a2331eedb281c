import type { Readable, Writable } from "node:stream";

import { isPromise } from "../awaitable.ts";
import { AhpError } from "../protocol/errors.ts";
import { MAX_BUFFERED_BYTES, MAX_MESSAGE_BYTES } from "../transport/limits.ts";
import type { Link, LinkSink } from "../transport/link.ts";
import { within } from "../within.ts";
import type { Line } from "./reader.ts";
import { createLineReader } from "./reader.ts";
import { createLineWriter } from "./writer.ts";

/** How long a closing link waits for the peer to take the last bytes. */
const LINGER_MS = 1_000;

export interface LineLinkOptions {
  readonly maxMessageBytes?: number;
  readonly maxBufferedBytes?: number;
}

/** One JSON message a line, over any pair of byte streams. */
export function lineLink(input: Readable, output: Writable, options: LineLinkOptions = {}): Link {
  const reader = createLineReader(options.maxMessageBytes ?? MAX_MESSAGE_BYTES);
  const maxBuffered = options.maxBufferedBytes ?? MAX_BUFFERED_BYTES;
  const writer = createLineWriter(output, maxBuffered, () => {
    finish(new AhpError("connection_lost", "The peer does not read its answers"));
    destroy();
  });
  const queue: Line[] = [];
  let sink: LinkSink | undefined;
  let isReading = false;
  let isFinished = false;
  let hasEnded = false;
  let isClosing = false;

  function finish(error?: AhpError): void {
    if (isFinished) return;
    isFinished = true;
    queue.length = 0;
    sink?.closed(error);
  }

  function destroy(): void {
    input.destroy();
    output.destroy();
  }

  /** Delivers until the sink asks for patience; then nothing more is read. */
  async function deliver(): Promise<void> {
    if (isReading) return;
    isReading = true;
    for (let next = queue.shift(); next !== undefined && !isFinished; next = queue.shift()) {
      const patience = give(next);
      if (patience === undefined) continue;
      input.pause();
      await patience;
      input.resume();
    }
    isReading = false;
    if (reader.isLost) finish(new AhpError("message_too_large", "The peer sent too long a message"));
    else if (hasEnded) finish();
  }

  function give(line: Line): Promise<void> | undefined {
    if (typeof line !== "string") return void sink?.garbage(line);
    const patience = sink?.message(line);
    return isPromise(patience) ? patience : undefined;
  }

  function fail(error: Error): void {
    finish(new AhpError("connection_lost", `The connection broke: ${error.message}`, { cause: error }));
    destroy();
  }

  return {
    send: writer.write,
    listen(given) {
      sink = given;
      input.on("data", (chunk: Buffer) => {
        queue.push(...reader.push(chunk));
        void deliver();
      });
      input.on("end", () => {
        queue.push(...reader.end());
        hasEnded = true;
        void deliver();
      });
      input.on("close", () => {
        hasEnded = true;
        void deliver();
      });
      input.on("error", fail);
      output.on("error", fail);
    },
    async close() {
      if (!isClosing) {
        isClosing = true;
        writer.flush();
        // Reading goes on meanwhile: a peer that is still writing must not lose our last answer to a reset.
        await within(LINGER_MS, Promise.all([outputEnds(output), inputEnds(input)]));
        finish();
        destroy();
      }
    },
  };
}

/** Resolves when the bytes are out or the stream is gone. */
function outputEnds(output: Writable): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (output.destroyed) resolve();
  output.once("close", resolve);
  output.end(resolve);
  return promise;
}

function inputEnds(input: Readable): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (input.destroyed || input.readableEnded) resolve();
  input.once("end", resolve);
  input.once("close", resolve);
  return promise;
}

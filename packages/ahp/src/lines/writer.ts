import type { Writable } from "node:stream";

/** Writes lines; many in one turn of the event loop become one write. */
export interface LineWriter {
  /** A promise when the peer reads slowly: it settles when there is room, or the stream is gone. */
  write(text: string): void | Promise<void>;
  flush(): void;
}

/** `overflow` is called when a peer leaves more than `maxBuffered` unread. */
export function createLineWriter(stream: Writable, maxBuffered: number, overflow: () => void): LineWriter {
  let pending = "";
  let room: PromiseWithResolvers<void> | undefined;

  function makeRoom(): void {
    room?.resolve();
    room = undefined;
  }
  stream.on("drain", makeRoom);
  stream.on("close", makeRoom);

  function flush(): void {
    if (pending === "") return;
    const text = pending;
    pending = "";
    if (stream.writable) stream.write(text);
    if (stream.writableLength > maxBuffered) overflow();
  }

  return {
    flush,
    write(text) {
      if (!stream.writable) return;
      // After the current callback and its microtasks, so that answers made together leave together.
      if (pending === "") process.nextTick(flush);
      pending += `${text}\n`;
      if (pending.length > maxBuffered) flush();
      if (!stream.writableNeedDrain) return;
      room ??= Promise.withResolvers();
      return room.promise;
    },
  };
}

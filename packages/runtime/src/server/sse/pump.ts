import { setImmediate as immediate, setTimeout as wait } from "node:timers/promises";
import { FairleadError } from "@fairlead/contract";
import { asFairleadError } from "../errors.ts";
import { cursorBlock, endBlock } from "./blocks.ts";
import type { Encoder } from "./encode.ts";
import type { Outlet } from "./outlet.ts";
import type { Stream } from "./streams.ts";
import type { View } from "./view.ts";

/** After this many hidden events the client is told the cursor, so that a reconnect does not read them again. */
const HIDDEN = 256;
/** Held up longer than this, a stream lets go of what it was reading, and reads it again when the socket drains. */
const PATIENCE_MS = 1_000;

/** After this many events it is others' turn: a store that answers at once would keep the thread for itself. */
const TURN = 500;

export interface Feed<Item> {
  readonly view: View<Item>;
  readonly after: number;
  /** The reader does not know `after` yet, and is told it first. */
  readonly tell?: boolean;
  /** Replay and then live, from any cursor, until the signal aborts. */
  readonly follow: (after: number, signal: AbortSignal) => AsyncIterable<readonly Item[]>;
  /** It has an end of its own; without it, that nothing more comes means that the log has closed. */
  readonly finite?: boolean;
}

interface Watch {
  /** Frames handed to the socket. Neither may throw. */
  readonly onFrames: (count: number) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Moves a feed onto a stream. Invariants:
 * 1. Nothing is pulled while the socket is held up, so nothing queues: a slow reader costs one chunk.
 * 2. The cursor moves only past what was written or is not for this view, so a reconnect misses nothing.
 * 3. A long replay lets others have their turn, also when it finds nothing to show.
 * Resolves when the feed has ended or the client has gone; never rejects.
 */
export async function pump<Item>(
  stream: Stream,
  encoder: Encoder,
  feed: Feed<Item>,
  watch: Watch,
): Promise<void> {
  const { outlet } = stream;
  stream.cursor = feed.after;
  if (feed.tell) outlet.nudge(cursorBlock(feed.after));
  try {
    while ((await read(stream, encoder, feed, watch)) === "held up") await outlet.drained();
    outlet.end(feed.finite ? undefined : endBlock(new FairleadError("shutting_down")));
  } catch (error) {
    watch.onError(error);
    outlet.end(endBlock(asFairleadError(error)));
  }
}

/** Reads on from the stream's cursor. When the socket is held up for long it returns, and so lets the batch go. */
async function read<Item>(
  stream: Stream,
  encoder: Encoder,
  { view, follow }: Feed<Item>,
  { onFrames }: Watch,
): Promise<"held up" | "ended"> {
  const { outlet } = stream;
  let since = 0;
  for await (const batch of follow(stream.cursor, outlet.signal)) {
    for (let from = 0; from < batch.length;) {
      if (outlet.closed) return "ended";
      const chunk = encoder.next(view, batch, from);
      from += chunk.items;
      if (chunk.bytes !== null) {
        // A chunk says what it hides before a frame, and cannot know what the one before it hid at its end.
        if (stream.hidden > 0 && view.contiguous) outlet.nudge(cursorBlock(stream.cursor));
        const slices = outlet.send(chunk.bytes);
        if (slices !== undefined) await slices;
        onFrames(chunk.frames);
      }
      stream.cursor = chunk.cursor;
      stream.hidden = chunk.bytes === null ? stream.hidden + chunk.hidden : chunk.hidden;
      if (stream.hidden >= HIDDEN && outlet.nudge(cursorBlock(chunk.cursor))) stream.hidden = 0;
      if (outlet.heldUp && !(await drainsSoon(outlet))) return "held up";
    }
    since += batch.length;
    if (since >= TURN) {
      since = 0;
      await immediate();
    }
  }
  return "ended";
}

async function drainsSoon(outlet: Outlet): Promise<boolean> {
  const enough = new AbortController();
  const late = wait(PATIENCE_MS, false, { signal: enough.signal }).catch(() => true);
  const drained = await Promise.race([outlet.drained().then(() => true), late]);
  enough.abort();
  return drained;
}

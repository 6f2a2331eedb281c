import type { AnyEvent, FaceName } from "@fairlead/contract";
import { FACES } from "../../faces/index.ts";
import { cursorBlock } from "./blocks.ts";
import type { View } from "./view.ts";

/** A run of items as it goes onto the wire. */
interface Chunk {
  /** Null when the view shows none of them. */
  readonly bytes: Buffer | null;
  readonly items: number;
  readonly frames: number;
  /** The cursor after the last of the items, shown or not. */
  readonly cursor: number;
  /** Items after the last frame that were not shown: the client's cursor is this far behind. */
  readonly hidden: number;
}

// In characters; most are one byte. Bounds what a socket that stops reading can hold up.
const CHUNK_CHARS = 48 * 1024;
const MEMO = 16;

interface Memo {
  readonly view: View<never>;
  readonly first: AnyEvent;
  readonly last: AnyEvent;
  readonly chunk: Chunk;
}

/**
 * Line ends that the standard does not know, and some readers do: to them a text could be the beginning of another
 * event. JSON has another spelling for them.
 */
const MORE_LINE_ENDS = /[\u0085\u2028\u2029]/g;

function oneLine(json: string): string {
  return json.replace(MORE_LINE_ENDS, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

export interface Encoder {
  /** The next chunk of the batch from index `from` on. The batch goes on at `from + chunk.items`. */
  next<Item>(view: View<Item>, batch: readonly Item[], from: number): Chunk;
}

/**
 * Encodes once for all. Live subscribers are handed the same event objects, so the bytes of a run
 * are remembered by its first and last event, and the text of a frame by its event.
 *
 * No `event:` field: EventSource gives named events to named listeners only, and a client that
 * does not know a name must still see the event. The name is `type` inside the data.
 */
export function createEncoder(): Encoder {
  const texts: Record<FaceName, WeakMap<AnyEvent, string>> = {
    frontend: new WeakMap(),
    runtime: new WeakMap(),
  };
  const memos: Memo[] = [];
  let oldest = 0;

  function dataLine(face: FaceName, event: AnyEvent): string {
    let text = texts[face].get(event);
    if (text === undefined) {
      const frame = FACES[face](event);
      text = frame === null ? "" : `data: ${oneLine(JSON.stringify(frame))}\n\n`;
      texts[face].set(event, text);
    }
    return text;
  }

  function encode<Item>(view: View<Item>, batch: readonly Item[], from: number): Chunk {
    let text = "";
    let at = from;
    let frames = 0;
    let hidden = 0;
    for (; at < batch.length && text.length < CHUNK_CHARS; at++) {
      const item = batch[at] as Item;
      const event = view.event(item);
      const line = view.shows(item) ? dataLine(view.face, event) : "";
      if (line === "") hidden++;
      else {
        if (hidden > 0 && view.contiguous) text += cursorBlock(view.id(batch[at - 1] as Item));
        text += `id: ${view.id(item)}\n${line}`;
        frames++;
        hidden = 0;
      }
    }
    return {
      bytes: text === "" ? null : Buffer.from(text),
      items: at - from,
      frames,
      cursor: view.id(batch[at - 1] as Item),
      hidden,
    };
  }

  return {
    next(view, batch, from) {
      const first = view.event(batch[from]!);
      for (const memo of memos) {
        if (memo.first !== first || memo.view !== view) continue;
        const end = from + memo.chunk.items - 1;
        // Feeds have no gaps, so the same ends mean the same run between them.
        if (end < batch.length && view.event(batch[end]!) === memo.last) return memo.chunk;
      }
      const chunk = encode(view, batch, from);
      const last = view.event(batch[from + chunk.items - 1]!);
      memos[oldest] = { view, first, last, chunk };
      oldest = (oldest + 1) % MEMO;
      return chunk;
    },
  };
}

import type { Captured } from "../ports/processes.ts";

export interface HeadTail {
  add(chunk: Uint8Array): void;
  done(): Captured;
}

/** Keeps the beginning and the end of an output of any length, in bounded memory. */
export function headTail(keep: { readonly head: number; readonly tail: number }): HeadTail {
  const head: Uint8Array[] = [];
  let headBytes = 0;
  let tail: Uint8Array[] = [];
  let tailBytes = 0;
  let bytes = 0;
  return {
    add(chunk) {
      bytes += chunk.length;
      const first = chunk.subarray(0, keep.head - headBytes);
      if (first.length > 0) {
        head.push(first);
        headBytes += first.length;
      }
      const rest = chunk.subarray(first.length);
      if (rest.length === 0) return;
      tail.push(rest);
      tailBytes += rest.length;
      // Joined rarely, so that many small chunks cost little.
      if (tailBytes > keep.tail * 2 + 65_536) {
        tail = [Buffer.concat(tail).subarray(-keep.tail)];
        tailBytes = keep.tail;
      }
    },
    done() {
      const end = Buffer.concat(tail);
      const kept = end.subarray(Math.max(0, end.length - keep.tail));
      const dropped = bytes - headBytes - kept.length;
      if (dropped === 0) return { text: Buffer.concat([...head, kept]).toString("utf8"), bytes, dropped };
      const note = `\n… ${dropped} bytes left out …\n`;
      return { text: Buffer.concat(head).toString("utf8") + note + kept.toString("utf8"), bytes, dropped };
    },
  };
}

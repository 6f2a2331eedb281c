import { isUtf8 } from "node:buffer";

import { AhpError } from "../protocol/errors.ts";

const NEWLINE = 0x0a;

/** What came in one line: its text, or why it is no text. */
export type Line = string | AhpError;

export interface LineReader {
  /** The lines that this chunk completes. A line that is too large is the last: the framing is lost. */
  push(chunk: Buffer): Line[];
  /** A last line that had no newline. */
  end(): Line[];
  /** True once a line was too large; nothing more is read. */
  readonly isLost: boolean;
}

/** Bytes into lines of UTF-8. Holds at most one line of `maxBytes`, whatever comes. */
export function createLineReader(maxBytes: number): LineReader {
  let parts: Buffer[] = [];
  let held = 0;
  let isLost = false;

  function hold(rest: Buffer, lines: Line[]): void {
    held += rest.length;
    if (held > maxBytes) lose(lines);
    else if (rest.length > 0) parts.push(rest);
  }

  function take(tail: Buffer): Buffer {
    const whole = parts.length === 0 ? tail : Buffer.concat([...parts, tail]);
    parts = [];
    held = 0;
    return whole;
  }

  function lose(lines: Line[]): void {
    isLost = true;
    parts = [];
    lines.push(new AhpError("message_too_large", `A message is longer than ${maxBytes} bytes`));
  }

  function read(bytes: Buffer, lines: Line[]): void {
    // One check and one decoding for many messages; line by line only when some bytes are bad.
    const texts = isUtf8(bytes) ? bytes.toString().split("\n") : splitBytes(bytes);
    for (const text of texts) {
      if (text instanceof AhpError) lines.push(text);
      else if (isLonger(text, maxBytes)) return lose(lines);
      else if (text !== "" && text !== "\r") lines.push(text);
    }
  }

  return {
    push(chunk) {
      const lines: Line[] = [];
      if (isLost) return lines;
      const first = chunk.indexOf(NEWLINE);
      const last = first < 0 ? -1 : chunk.lastIndexOf(NEWLINE);
      if (held + first > maxBytes) lose(lines);
      else if (last >= 0) read(take(chunk.subarray(0, last)), lines);
      if (!isLost) hold(chunk.subarray(last + 1), lines);
      return lines;
    },
    end() {
      const lines: Line[] = [];
      if (held > 0 && !isLost) read(take(Buffer.alloc(0)), lines);
      return lines;
    },
    get isLost() {
      return isLost;
    },
  };
}

function splitBytes(bytes: Buffer): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= bytes.length;) {
    const found = bytes.indexOf(NEWLINE, start);
    const end = found < 0 ? bytes.length : found;
    const line = bytes.subarray(start, end);
    lines.push(isUtf8(line) ? line.toString() : new AhpError("parse_error", "The message is not UTF-8"));
    start = end + 1;
  }
  return lines;
}

/** A character is at most three bytes, so most lines need no count. */
function isLonger(text: string, maxBytes: number): boolean {
  return text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes;
}

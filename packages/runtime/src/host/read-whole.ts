import { readSync, type Stats } from "node:fs";
import { FileError } from "../ports/workspace-files.ts";
import { systemError } from "./contained.ts";

/** An open file and what it was when it was opened. */
export interface OpenFile {
  readonly fd: number;
  readonly stats: Stats;
}

export function readWhole({ fd, stats }: OpenFile, maxBytes: number, asked: string): Uint8Array {
  if (stats.size > maxBytes)
    throw new FileError("too_large", `${asked} has ${stats.size} bytes; at most ${maxBytes} can be read.`);
  try {
    // One more than it had: a file that grows is cut, one in /proc says 0 and has more.
    const buffer = Buffer.alloc(Math.min(Math.max(stats.size, 65_536), maxBytes) + 1);
    let length = 0;
    for (;;) {
      const count = readSync(fd, buffer, length, buffer.length - length, null);
      if (count === 0) break;
      length += count;
      if (length > maxBytes)
        throw new FileError("too_large", `${asked} has more than the ${maxBytes} bytes that can be read.`);
      if (length === buffer.length) break;
    }
    return buffer.subarray(0, length);
  } catch (error) {
    throw systemError(error, asked);
  }
}

import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { basename } from "node:path";
import { FileError } from "../../ports/workspace-files.ts";
import type { HookFile } from "../../ports/hook.ts";
import { readWhole } from "../read-whole.ts";

/** A program may be large; a script is not. All of it is held while the hook runs. */
const LARGEST = 256 * 1024 * 1024;

/** A file whose bytes are here: whatever happens to the one on the disk. */
export interface HeldFile extends HookFile {
  readonly name: string;
  readonly content: Uint8Array;
}

/** Reads the file through one handle; undefined where there is no plain file. Throws what says why it cannot be read. */
export function heldFile(file: string, path: string): HeldFile | undefined {
  let fd: number;
  try {
    // Without waiting: a pipe that nobody writes to would hold us for ever.
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG" || code === "ENXIO")
      return undefined;
    throw new FileError("missing", `${path} cannot be read (${code}).`);
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return undefined;
    const content = readWhole({ fd, stats }, LARGEST, path);
    return {
      path,
      name: basename(file),
      content,
      bytes: content.length,
      sha256: createHash("sha256").update(content).digest("hex"),
      text: (most) => textOf(content, most),
    };
  } finally {
    closeSync(fd);
  }
}

function textOf(content: Uint8Array, most: number): string | null {
  if (content.subarray(0, 8_192).includes(0)) return null;
  try {
    // A character that is cut at the end is left out, and no reason to take it for something else than text.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(content.subarray(0, most), {
      stream: true,
    });
    return content.length > most ? `${text}\n… ${content.length - most} bytes more …\n` : text;
  } catch {
    return null;
  }
}

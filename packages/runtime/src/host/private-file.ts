import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { ConfigError } from "./config-error.ts";

/** Makes the directory, for its owner only, or checks that it is so. Throws ConfigError. */
export function privateDirectory(path: string): void {
  try {
    makeDirectory(path);
  } catch (cause) {
    throw new ConfigError(
      `${path} cannot be made: ${(cause as Error).message}`,
      "Set XDG_CONFIG_HOME to a directory that belongs to you.",
      { cause },
    );
  }
  demandPrivate(path, statSync(path), "700");
}

/** Step by step: Node's recursive way never ends where a directory cannot be made and the system does not say why, as in /proc. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeDirectory(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
    chmodSync(path, 0o700);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(path)) throw error;
  }
}

/** The text, or undefined when there is no such file. Throws ConfigError when others can read it. */
export function readPrivate(path: string): string | undefined {
  let file: number;
  try {
    // A link could lead to a file that somebody else controls.
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new ConfigError(
      `${path} cannot be read: ${(cause as Error).message}`,
      "It must be a plain file that belongs to you.",
      { cause },
    );
  }
  try {
    demandPrivate(path, fstatSync(file), "600");
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/** Writes the file unless it is there; whoever comes second finds the first one's text, whole. */
export function createPrivate(path: string, text: string): void {
  const draft = writeDraft(path, text);
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
}

/** Writes the file anew: readers find the old text or the new one, whole. */
export function replacePrivate(path: string, text: string): void {
  renameSync(writeDraft(path, text), path);
}

function writeDraft(path: string, text: string): string {
  privateDirectory(dirname(path));
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  const file = openSync(draft, "wx", 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return draft;
}

function demandPrivate(path: string, stats: Stats, mode: "600" | "700"): void {
  const me = process.getuid?.();
  // Windows has no such modes; there the profile directory keeps others out.
  if (me === undefined) return;
  if (stats.uid !== me)
    throw new ConfigError(
      `${path} belongs to another user.`,
      `Make it yours, or remove it: chown ${me} ${path}`,
    );
  if ((stats.mode & 0o077) === 0) return;
  const found = (stats.mode & 0o777).toString(8);
  throw new ConfigError(`${path} is open to other users (mode ${found}).`, `Close it: chmod ${mode} ${path}`);
}

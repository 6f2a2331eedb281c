import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

/** The name of a directory of workspaces: the same for every process that shares it, and for none that does not. */
export interface HostName {
  find(): string | undefined;
  /** Makes one where there is none. */
  demand(): string;
}

const FILE = "host";

/** Kept in the directory itself, not the machine's own name: two machines may have the same, and a container a new one each time. */
export function createHostName(dir: string): HostName {
  const place = join(dir, FILE);
  let known: string | undefined;

  function find(): string | undefined {
    try {
      // One without a word in it was left by a process that died there.
      known ??= readFileSync(place, "utf8").trim() || undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
    return known;
  }

  /** Whole or not at all: others look at the same moment, and remember what they saw. */
  function put(name: string): void {
    const draft = `${place}-${name}`;
    writeFileSync(draft, `${name}\n`, { flag: "wx", mode: 0o600 });
    try {
      linkSync(draft, place);
    } catch {
      // Another process was quicker, and its name counts, where it has one; or the disk knows no links.
      if (find() === undefined) renameSync(draft, place);
    } finally {
      rmSync(draft, { force: true });
    }
  }

  return {
    find,
    demand() {
      const found = find();
      if (found !== undefined) return found;
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      const name = `${hostname()}-${randomBytes(3).toString("hex")}`;
      put(name);
      return find() ?? name;
    },
  };
}

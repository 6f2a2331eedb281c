import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
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
  let known: string | undefined;

  function find(): string | undefined {
    try {
      return (known ??= readFileSync(join(dir, FILE), "utf8").trim());
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      return undefined;
    }
  }

  return {
    find,
    demand() {
      const found = find();
      if (found !== undefined) return found;
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      const name = `${hostname()}-${randomBytes(3).toString("hex")}`;
      try {
        writeFileSync(join(dir, FILE), `${name}\n`, { flag: "wx", mode: 0o600 });
      } catch (error) {
        // Another process was quicker, and its name counts.
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
      return find() ?? name;
    },
  };
}

import type { FSWatcher } from "node:fs";
import { readdirSync, statSync, watch } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PolicySource, PolicyText } from "../ports/policy-source.ts";

/** The rules that come with the runtime. */
export const DEFAULT_POLICIES = fileURLToPath(new URL("../../policies", import.meta.url));

export interface PolicyFilesOptions {
  /** A file in a later directory stands in for one of the same name in an earlier one. */
  readonly directories: readonly string[];
  /** How long nothing must change before a change counts: editors write in several steps. */
  readonly settleMs?: number;
  /** How often to look where the system tells nothing, as on some mounts. */
  readonly pollMs?: number;
}

const TRIES = 5;

/** Rule files are `*.yaml` and `*.yml`; those with `.test.` before the end are cases, not rules. */
export function isRuleFile(name: string): boolean {
  return /\.ya?ml$/.test(name) && !isCaseFile(name);
}

export function isCaseFile(name: string): boolean {
  return /\.test\.ya?ml$/.test(name);
}

/** The files of these directories that `wanted` names, in the order of their names. Throws when one cannot be read. */
export function policyPaths(directories: readonly string[], wanted: (name: string) => boolean): string[] {
  const byName = new Map<string, string>();
  for (const directory of directories) {
    for (const name of readdirSync(directory)) if (wanted(name)) byName.set(name, join(directory, name));
  }
  return [...byName].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, path]) => path);
}

export function policyFiles({
  directories,
  settleMs = 100,
  pollMs = 2_000,
}: PolicyFilesOptions): PolicySource {
  return {
    async read() {
      for (let left = TRIES; ; left--) {
        const before = signature(directories);
        const files = await Promise.all(policyPaths(directories, isRuleFile).map(textOf));
        // Files that changed while they were read would be a rule set that nobody wrote.
        if (before === signature(directories)) return files;
        if (left <= 1) throw new Error(`The rules change while they are read: ${directories.join(", ")}.`);
      }
    },
    watch(changed) {
      let seen = signature(directories);
      let settling: NodeJS.Timeout | undefined;
      const look = (): void => {
        const now = signature(directories);
        if (now === seen) return;
        seen = now;
        clearTimeout(settling);
        settling = setTimeout(settled, settleMs).unref();
      };
      const settled = (): void => {
        const before = seen;
        look();
        if (seen === before) changed();
      };
      const poll = setInterval(look, pollMs).unref();
      const watchers = directories.flatMap((directory) => watcher(directory, look));
      return () => {
        clearInterval(poll);
        clearTimeout(settling);
        for (const one of watchers) one.close();
      };
    },
  };
}

async function textOf(path: string): Promise<PolicyText> {
  return { path, text: await readFile(path, "utf8") };
}

/** Changes whenever a rule file does; also when a directory comes, goes or cannot be read. */
function signature(directories: readonly string[]): string {
  try {
    return policyPaths(directories, isRuleFile)
      .map((path) => {
        const { mtimeNs, size, ino } = statSync(path, { bigint: true });
        return `${path}:${ino}:${size}:${mtimeNs}`;
      })
      .join("\n");
  } catch (error) {
    return String(error);
  }
}

/** None where the system cannot watch: then looking now and then must do. */
function watcher(directory: string, changed: () => void): FSWatcher[] {
  try {
    const made = watch(directory, { persistent: false }, changed);
    made.on("error", () => made.close());
    return [made];
  } catch {
    return [];
  }
}

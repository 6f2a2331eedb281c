import { readdirSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Stock } from "../stock.ts";
import type { OwnPlace } from "./own-store.ts";
import { commitOf } from "./places.ts";
import { type Git, line } from "./run.ts";

/** What each needs is listed after it, once. What the user's repository has let go of is passed over. */
const LISTED = [
  "rev-list",
  "--objects",
  "--no-walk=unsorted",
  "--in-commit-order",
  "--no-object-names",
  "--ignore-missing",
  "--missing=allow-any",
  "--stdin",
];

/** Objects in a store of ours, each in a file of its own. Those that are in the user's repository alone take no room. */
export function gitStock(git: Git, place: OwnPlace): Stock {
  const { objects } = place;

  async function needed(refs: readonly string[]): Promise<readonly string[]> {
    if (refs.length === 0) return [];
    const input = Buffer.from(refs.map((ref) => `${commitOf(ref)}\n`).join(""));
    return (await line(git, LISTED, { ...place, input })).split("\n");
  }

  return {
    async *weigh(refs) {
      const asked = new Map(refs.map((ref) => [commitOf(ref), ref]));
      let found: { ref: string; bytes: number } | undefined;
      for (const object of await needed(refs)) {
        const ref = asked.get(object);
        if (ref !== undefined) {
          if (found !== undefined) yield found;
          found = { ref, bytes: 0 };
        }
        if (found !== undefined) found.bytes += sizeOf(join(objects, object.slice(0, 2), object.slice(2)));
      }
      if (found !== undefined) yield found;
    },

    async sweep(refs) {
      const kept = new Set(await needed(refs));
      for (const { name, parentPath } of readdirSync(objects, { withFileTypes: true, recursive: true })) {
        const head = parentPath.slice(objects.length + 1);
        if (head.length === 2 && !kept.has(`${head}${name}`))
          await rm(join(parentPath, name), { force: true });
      }
    },
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

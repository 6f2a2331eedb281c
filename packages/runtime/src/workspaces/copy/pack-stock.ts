import { FairleadError } from "@fairlead/contract";
import type { Stock } from "../stock.ts";
import type { Packs } from "./packs.ts";
import { objectsBeyond } from "./stored-tree.ts";

export function packStock(packs: Packs): Stock {
  return {
    async *weigh(refs) {
      const counted = new Set<string>();
      for (const ref of refs) {
        const more = await beyond(packs, ref, counted);
        if (more === undefined) continue;
        yield { ref, bytes: more.reduce((sum, name) => sum + packs.bytesOf(name), 0) };
      }
    },

    async sweep(refs) {
      const kept = new Set<string>();
      for (const ref of refs) await beyond(packs, ref, kept);
      packs.keepOnly(kept);
    },
  };
}

/** Adds to what is counted, and says what that was; undefined of one that cannot be read. */
async function beyond(
  packs: Packs,
  ref: string,
  counted: Set<string>,
): Promise<readonly string[] | undefined> {
  try {
    return await objectsBeyond(packs, ref, counted);
  } catch (error) {
    if (error instanceof FairleadError) return undefined;
    throw error;
  }
}

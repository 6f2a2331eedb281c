import { existsSync, readdirSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";

const OURS = /^ws_[A-Za-z0-9_-]{1,96}$/;

interface OrphansOptions {
  isKnown(id: string): boolean;
  /** Takes away what is elsewhere of it, before what says where that is. */
  letGo?(id: string): Promise<void>;
  readonly now: number;
  readonly ageMs: number;
}

/**
 * Takes away what was begun and never finished: directories that no record speaks of. A young one may be about to be
 * finished. Returns how many there were.
 */
export async function dropOrphans(
  dir: string,
  { isKnown, letGo, now, ageMs }: OrphansOptions,
): Promise<number> {
  let dropped = 0;
  for (const id of existsSync(dir) ? readdirSync(dir) : []) {
    // What has no name of ours is not ours.
    if (!OURS.test(id)) continue;
    const place = join(dir, id);
    const stats = statSync(place, { throwIfNoEntry: false });
    if (isKnown(id) || stats === undefined || now - stats.mtimeMs < ageMs) continue;
    await letGo?.(id);
    await rm(place, { recursive: true, force: true });
    dropped += 1;
  }
  return dropped;
}

import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { putFile } from "../put-file.ts";

/** Bytes by their SHA-256. Written whole or not at all, and checked when they are read. */
export interface Objects {
  /** Where what is put is not written at once: writes it. */
  flush?(): void;
  put(bytes: Uint8Array): Promise<string>;
  has(sha256: string): boolean;
  /** Undefined when it is not there, or is not what its name says. */
  get(sha256: string): Promise<Buffer | undefined>;
  /** Drops all but these that are older than so many milliseconds: a younger one may be about to be named. */
  sweep(keep: ReadonlySet<string>, now: number, ageMs: number): Promise<number>;
}

const NAME = /^[0-9a-f]{64}$/;

export function createObjects(dir: string): Objects {
  const placeOf = (sha256: string) => join(dir, sha256.slice(0, 2), sha256.slice(2));
  const has = (sha256: string) => NAME.test(sha256) && existsSync(placeOf(sha256));

  return {
    has,
    async put(bytes) {
      const sha256 = hashOf(bytes);
      const place = placeOf(sha256);
      if (existsSync(place)) return sha256;
      const draft = `${place}.${randomBytes(4).toString("hex")}`;
      await putFile(place, bytes, { draft, mode: 0o600 });
      return sha256;
    },
    async get(sha256) {
      if (!has(sha256)) return undefined;
      const bytes = await readFile(placeOf(sha256));
      return hashOf(bytes) === sha256 ? bytes : undefined;
    },
    async sweep(keep, now, ageMs) {
      let dropped = 0;
      for (const head of existsSync(dir) ? readdirSync(dir) : [])
        for (const tail of readdirSync(join(dir, head))) {
          if (keep.has(`${head}${tail}`)) continue;
          const place = join(dir, head, tail);
          const stats = statSync(place, { throwIfNoEntry: false });
          if (stats === undefined || now - stats.mtimeMs < ageMs) continue;
          await rm(place, { force: true });
          dropped += 1;
        }
      return dropped;
    },
  };
}

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

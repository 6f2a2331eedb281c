import { randomBytes, randomFillSync } from "node:crypto";
import { idMaker } from "@fairlead/contract";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";

const BITS = 48;
const BYTES = BITS / 8;

// Taken many at a time: asking the system for six bytes costs as much as for a thousand.
const pool = Buffer.alloc(BYTES * 256);
let used = pool.length;

/** Not Math.random: ids of two processes must not meet, and nobody should guess the next one. */
function random(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += BYTES;
  return pool.readUIntBE(used - BYTES, BYTES) / 2 ** BITS;
}

export function systemIds(clock: Clock): Ids {
  return { next: idMaker({ now: () => clock.now(), random }) };
}

/** 256 bits that nobody can guess, as letters, digits, - and _. */
export function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

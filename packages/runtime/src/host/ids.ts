import { randomBytes } from "node:crypto";
import { idMaker } from "@fairlead/contract";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";

const BITS = 48;

/** Not Math.random: ids of two processes must not meet, and nobody should guess the next one. */
function random(): number {
  return randomBytes(BITS / 8).readUIntBE(0, BITS / 8) / 2 ** BITS;
}

export function systemIds(clock: Clock): Ids {
  return { next: idMaker({ now: () => clock.now(), random }) };
}

/** 256 bits that nobody can guess, as letters, digits, - and _. */
export function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

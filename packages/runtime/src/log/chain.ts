import { hash } from "node:crypto";

/** What the first event of a stream of its own builds on. */
export const NO_HASH: Buffer = Buffer.alloc(32);

/**
 * Hash of one event, in hex as the one before: over that, its seq and its exact stored text. A byte changed in either, an
 * event left out, added or moved, gives another hash from there on.
 */
export function chainHash(previous: string, seq: number, body: string): string {
  return hash("sha256", `${previous}\n${seq}\n${body}`, "hex");
}

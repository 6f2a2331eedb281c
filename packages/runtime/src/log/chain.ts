import { hash } from "node:crypto";

/** What the first event of a stream of its own builds on. */
export const NO_HASH: Buffer = Buffer.alloc(32);

/**
 * Hash of one event: over the hash before it, its seq and its exact stored text. A byte changed in
 * either, an event left out, added or moved, gives another hash from there on.
 */
export function chainHash(previous: Buffer, seq: number, body: string): Buffer {
  // By way of hex: asking for a buffer costs more than twice as much as converting the text.
  return Buffer.from(hash("sha256", `${previous.toString("hex")}\n${seq}\n${body}`, "hex"), "hex");
}

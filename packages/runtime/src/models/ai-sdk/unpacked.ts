import type { IncomingMessage } from "node:http";
import { type Duplex, type Readable, pipeline } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

/** What comes is passed on at once, not when a block is full. */
const AT_ONCE = { flush: constants.Z_SYNC_FLUSH };
const UNPACK: Readonly<Record<string, () => Duplex>> = {
  gzip: () => createGunzip(AT_ONCE),
  "x-gzip": () => createGunzip(AT_ONCE),
  deflate: () => createInflate(AT_ONCE),
  br: () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
};

/** For the bytes of an answer that are packed, though we ask for plain ones: not every server listens. */
export function unpackerOf(encoding: string | readonly string[] | undefined): Duplex | undefined {
  return typeof encoding === "string" ? UNPACK[encoding.trim().toLowerCase()]?.() : undefined;
}

/** The bytes of an answer as they are meant. */
export function unpacked(response: IncomingMessage): Readable {
  const unpack = unpackerOf(response.headers["content-encoding"]);
  // Whoever reads it hears of what breaks.
  return unpack === undefined ? response : pipeline(response, unpack, () => {});
}

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

/** The bytes of an answer as they are meant. We ask for plain ones, and not every server listens. */
export function unpacked(response: IncomingMessage): Readable {
  const unpack = UNPACK[response.headers["content-encoding"]?.trim().toLowerCase() ?? ""];
  // Whoever reads it hears of what breaks.
  return unpack === undefined ? response : pipeline(response, unpack(), () => {});
}

import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import type { WebPage } from "../ports/web.ts";

/** Reads at most so many bytes, counted after they were unpacked: a small answer can unpack to a huge one. */
export async function readPage(response: IncomingMessage, url: URL, maxBytes: number): Promise<WebPage> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let truncated = false;
  const body = unpacked(response);
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      const room = maxBytes - size;
      chunks.push(chunk.subarray(0, room));
      size += Math.min(chunk.length, room);
      truncated = chunk.length > room;
      if (truncated) break;
    }
  } catch (error) {
    throw new Error(`${url.host} broke off its answer.`, { cause: error });
  } finally {
    response.destroy();
    body.destroy();
  }
  const [type = "", ...parameters] = (response.headers["content-type"] ?? "").split(";");
  const charset = parameters.map((part) => /^\s*charset="?([^"\s]+)"?\s*$/i.exec(part)?.[1]).find(Boolean);
  return {
    url: url.href,
    status: response.statusCode ?? 0,
    type: type.trim().toLowerCase(),
    charset,
    bytes: Buffer.concat(chunks),
    truncated,
  };
}

function unpacked(response: IncomingMessage): Readable {
  const through =
    response.headers["content-encoding"] === "gzip"
      ? createGunzip()
      : response.headers["content-encoding"] === "br"
        ? createBrotliDecompress()
        : undefined;
  if (through === undefined) return response;
  response.once("error", (error) => through.destroy(error));
  return response.pipe(through);
}

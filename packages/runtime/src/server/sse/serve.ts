import type { OutgoingHttpHeaders } from "node:http";
import type { FastifyReply } from "fastify";
import type { Actor } from "../../domain/actor.ts";
import type { Credential } from "../auth/credentials.ts";
import type { Context } from "../handlers.ts";
import { asFairleadError } from "../errors.ts";
import { type Feed, pump } from "./pump.ts";
import type { Stream } from "./streams.ts";

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  // Proxies must neither keep nor compress nor buffer it.
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
} as const;

/** Takes over the response. Throws, with nothing written, when there is no room. */
export function openStream(
  context: Context,
  caller: { readonly actor: Actor; readonly credential: Credential; readonly reply: FastifyReply },
): Stream {
  const { actor, credential, reply } = caller;
  const headers = { ...(reply.getHeaders() as OutgoingHttpHeaders), ...HEADERS };
  return context.streams.open({ res: reply.raw, headers, actor, credential });
}

/** Runs on by itself until either side ends it. */
export function serve<Item>(context: Context, stream: Stream, feed: Feed<Item>): void {
  const { encoder, metrics, logger } = context;
  void pump(stream, encoder, feed, {
    onFrames: metrics.frames,
    onError(error) {
      const { code, status, cause } = asFairleadError(error);
      if (status >= 500) logger.error({ code, err: cause ?? error }, "stream failed");
    },
  });
}

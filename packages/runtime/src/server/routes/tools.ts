import type { FastifyReply } from "fastify";
import type { Context, Handlers } from "../handlers.ts";

export function toolHandlers({ services: { tools } }: Context): Pick<Handlers, "listTools" | "callTool"> {
  return {
    listTools: async () => ({ tools: await tools.list() }),
    callTool: ({ actor, params, body, reply }) =>
      tools.call(actor, params.id, params.name, body.arguments, gone(reply)),
  };
}

/** Aborted when whoever asked goes away before there is an answer. Not the request's own end: that comes with its body. */
function gone({ raw }: FastifyReply): AbortSignal {
  const abort = new AbortController();
  raw.once("close", () => {
    if (!raw.writableFinished) abort.abort();
  });
  return abort.signal;
}

import type { Context, Handlers } from "../handlers.ts";

type Names = "getInbox" | "markSeen";

export function inboxHandlers({ services: { inbox } }: Context): Pick<Handlers, Names> {
  return {
    getInbox: ({ actor, query }) => inbox.read(actor, query),
    markSeen: ({ actor, params, body }) => inbox.seen(actor, params.id, body),
  };
}

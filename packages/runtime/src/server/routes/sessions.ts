import type { Context, Handlers } from "../handlers.ts";

type Names = "listSessions" | "getSession" | "purgeSession" | "trimSession";

export function sessionHandlers({ services: { sessions, kernel, details } }: Context): Pick<Handlers, Names> {
  return {
    listSessions: ({ actor, query: { status, ...query } }) =>
      kernel.list(actor, { ...query, ...(status === undefined ? {} : { status: [status] }) }),
    getSession: ({ actor, params, query }) => details.session(actor, params.id, query),
    purgeSession: ({ actor, params, query }) => sessions.purge(actor, params.id, query.reason),
    async trimSession({ actor, params, body }) {
      const { id, floor_seq, head_seq } = await sessions.trim(actor, params.id, body.up_to);
      return { session_id: id, floor_seq, head_seq };
    },
  };
}

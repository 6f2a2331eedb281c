import type { Context, Handlers } from "../handlers.ts";

type Names =
  | "listSessions"
  | "getSession"
  | "compareSessions"
  | "offerChange"
  | "purgeSession"
  | "trimSession";

export function sessionHandlers({ services }: Context): Pick<Handlers, Names> {
  const { sessions, kernel, details, comparisons } = services;
  return {
    listSessions: ({ actor, query: { status, ...query } }) =>
      kernel.list(actor, { ...query, ...(status === undefined ? {} : { status: [status] }) }),
    getSession: ({ actor, params, query }) => details.session(actor, params.id, query),
    compareSessions: ({ actor, params }) => comparisons.compare(actor, params.id, params.other),
    offerChange: ({ actor, params }) => services.offers.offer(actor, params.id),
    purgeSession: ({ actor, params, query }) => sessions.purge(actor, params.id, query.reason),
    async trimSession({ actor, params, body }) {
      const { id, floor_seq, head_seq } = await sessions.trim(actor, params.id, body.up_to);
      return { session_id: id, floor_seq, head_seq };
    },
  };
}

import type { Client } from "@fairlead/client";
import type { RouteParams, RouteReply } from "@fairlead/contract";
import type { Backend, FollowQuery, Frame, Item, ReplayQuery } from "../backend.ts";

const PAGE = 500;

export interface RemoteOptions {
  readonly client: Client;
  /** Asked when the credential is no longer good: a server that was started anew has written another. */
  readonly renew?: () => Promise<Client | undefined>;
}

/** The runtime behind a server. */
export function remoteBackend(options: RemoteOptions): Backend {
  let { client } = options;
  const call: Client["call"] = (name, ...input) => client.call(name, ...input);

  async function* follow(query: FollowQuery & { readonly until?: "latest" }): AsyncGenerator<Item> {
    let { after } = query;
    const onCursor = (cursor: number): void => {
      after = cursor;
      query.onCursor?.(cursor);
    };
    for (;;) {
      try {
        yield* client.eventStream({ ...query, after, onCursor });
        return;
      } catch (error) {
        const renewed =
          (error as { code?: string }).code === "unauthorized" ? await options.renew?.() : undefined;
        if (renewed === undefined) throw error;
        client = renewed;
      }
    }
  }
  async function* replay({ session, after = 0, ...query }: ReplayQuery): AsyncGenerator<Item> {
    if (session === undefined) return yield* follow({ ...query, after, until: "latest" });
    for (let next: number | null = after; next !== null;) {
      const page: RouteReply<"listEvents"> = await call("listEvents", {
        params: { id: session },
        query: { ...query, after: next, limit: PAGE },
      });
      for (const frame of page.events as unknown as readonly Frame[]) yield { cursor: frame.seq, frame };
      next = page.next;
    }
  }

  return {
    name: client.url,
    shared: true,
    createSession: (body) => call("createChatSession", { body }),
    // The row alone is asked for: the rest would be sent for nothing.
    getSession: (id) => call("getSession", { params: { id }, query: { limit: 1 } }),
    sessionHealth: async (id) => (await call("getSession", { params: { id }, query: { limit: 1 } })).health,
    sessionDetail: (id, limit) => call("getChatSession", { params: { id }, query: { limit } }),
    compareSessions: (id, other) => call("compareSessions", { params: { id, other } }),
    offerChange: (id) => call("offerChange", { params: { id }, body: {} }),
    branchSession: (id, body) => call("branchChatSession", { params: { id }, body }),
    listSessions: (query) => call("listSessions", { query }),
    startWork: (body) => call("startSession", { body }),
    pauseWork: (id, reason) => call("pauseSession", { params: { id }, body: { reason } }),
    resumeWork: (id, body) => call("resumeSession", { params: { id }, body }),
    cancelWork: (id, reason) => call("cancelSession", { params: { id }, body: { reason } }),
    acceptWork: (id, reason) => call("acceptSession", { params: { id }, body: { reason } }),
    setPolicy: (id, body) => call("setSessionPolicy", { params: { id }, body }),
    listQuestions: (query) => call("listQuestions", { query }),
    getQuestion: (id) => call("getQuestion", { params: { id } as RouteParams<"getQuestion"> }),
    decideQuestion: (id, body) =>
      call("decideQuestion", { params: { id } as RouteParams<"decideQuestion">, body }),
    listGrants: (query) => call("listGrants", { query }),
    revokeGrant: (id, reason) =>
      call("revokeGrant", { params: { id } as RouteParams<"revokeGrant">, query: { reason } }),
    listModels: async () => (await call("listModels")).models,
    listHooks: async () => (await call("listHooks")).rows,
    getHook: (name) => call("getHook", { params: { name } }),
    trustHook: (name, hash) => call("trustHook", { params: { name }, body: { hash } }),
    untrustHook: (name) => call("untrustHook", { params: { name } }),
    startTurn: (id, input) => call("startTurn", { params: { id }, body: { input } }),
    configureSession: (id, body) => call("configureChatSession", { params: { id }, body }),
    say: (id, mode, input) =>
      call(mode === "queue" ? "queueInput" : "steerTurn", { params: { id }, body: { input } }),
    cancelTurn: (id, reason) => call("cancelTurn", { params: { id }, body: { reason } }),
    replay,
    follow,
    async verify(session) {
      // The route takes no alias.
      const row =
        session === undefined
          ? undefined
          : await call("getSession", { params: { id: session }, query: { limit: 1 } });
      return call("verifyLog", { body: row === undefined ? {} : { session_id: row.session_id } });
    },
    createToken: (body) => call("createToken", { body }),
    listTokens: async () => (await call("listTokens")).rows,
    revokeToken: (id) => call("revokeToken", { params: { id } as RouteParams<"revokeToken"> }),
    createLink: () => call("createLink"),
    close: async () => {},
  };
}

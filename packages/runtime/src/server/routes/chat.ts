import type { RouteReply } from "@fairlead/contract";
import { type Context, type Handlers, STREAMING } from "../handlers.ts";
import { openTurnStream } from "../sse/turn.ts";

type Names =
  | "branchChatSession"
  | "configureChatSession"
  | "queueInput"
  | "steerTurn"
  | "createChatSession"
  | "listChatSessions"
  | "getChatSession"
  | "startTurn"
  | "cancelTurn";

export function chatHandlers(context: Context): Pick<Handlers, Names> {
  const { sessions, details, branches, turns } = context.services;
  return {
    createChatSession: ({ actor, body, idempotencyKey }) =>
      sessions.create(actor, { ...body, ...optionalKey(idempotencyKey) }),
    listChatSessions: ({ actor, query: { status, ...query } }) =>
      sessions.list(actor, {
        ...query,
        kind: "chat",
        ...(status === undefined ? {} : { status: [status] }),
      }),
    getChatSession: ({ actor, params, query }) => details.chat(actor, params.id, query),
    branchChatSession: ({ actor, params, body, idempotencyKey }) =>
      branches.branch(actor, params.id, { ...body, ...optionalKey(idempotencyKey) }),
    configureChatSession: ({ actor, params, body }) => sessions.configure(actor, params.id, body),
    queueInput: async ({ actor, params, body, idempotencyKey }) =>
      (await turns.queue(actor, params.id, {
        ...body,
        ...optionalKey(idempotencyKey),
      })) as RouteReply<"queueInput">,
    steerTurn: async ({ actor, params, body, idempotencyKey }) =>
      (await turns.steer(actor, params.id, {
        ...body,
        ...optionalKey(idempotencyKey),
      })) as RouteReply<"steerTurn">,
    async startTurn(call) {
      const { actor, params, body, idempotencyKey, request } = call;
      const streaming = wantsEvents(request.headers.accept);
      // Before the turn: one that was started is not refused.
      if (streaming) context.streams.demandRoom(actor);
      const turn = await turns.start(actor, params.id, { ...body, ...optionalKey(idempotencyKey) });
      if (!streaming) return turn as RouteReply<"startTurn">;
      openTurnStream(context, call, turn);
      return STREAMING;
    },
    cancelTurn: async ({ actor, params, body }) =>
      (await turns.cancel(actor, params.id, body.reason)) as RouteReply<"cancelTurn">,
  };
}

function optionalKey(idempotencyKey: string | undefined): { idempotencyKey?: string } {
  return idempotencyKey === undefined ? {} : { idempotencyKey };
}

/** Asked for by name: a client that takes anything gets JSON. */
function wantsEvents(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  return accept.split(",").some((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    return type === "text/event-stream" && !parameters.some((one) => /^q=0(\.0*)?$/.test(one));
  });
}

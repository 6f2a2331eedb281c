import type { Awaitable } from "../awaitable.ts";
import type { AhpEvent, EventOf } from "../protocol/event.ts";
import type { BlockingType, DecisionOf, NoticeType } from "../protocol/events.ts";
import type { GenericDecision } from "../protocol/events/generic.ts";
import type { HandshakeParams, QueryParams, QueryResult } from "../protocol/methods.ts";

/** How an event came: a batch entry must be answered at once, a request may be held for minutes. */
export type Delivery = "request" | "notification" | "batch";

/** Around each message: who asks, how, and until when it matters. */
export interface Call<Context = unknown> {
  readonly transport: string;
  /** What `authenticate`, or whoever accepted the connection, knows about the peer. */
  readonly context: Context;
  readonly delivery: Delivery;
  /** The handshake of this connection, once there was one. */
  readonly agent: HandshakeParams | undefined;
  /** Aborts when the peer is gone and no answer can reach it. */
  readonly signal: AbortSignal;
}

type Questions<C> = {
  [T in BlockingType]?: (event: EventOf<T>, call: Call<C>) => Awaitable<DecisionOf<T>>;
};
type Notices<C> = {
  [T in NoticeType]?: (event: EventOf<T>, call: Call<C>) => Awaitable<void>;
};

/**
 * What a harness does. A handler for one type wins over the generic ones; a typed payload has been
 * checked before its handler sees it. A handler that throws, or returns what is no decision of its
 * type, is a failed handler: the agent gets an error, a batch entry a block.
 */
export interface Handlers<C = unknown> extends Questions<C>, Notices<C> {
  /** Any gate without a handler of its own, and every batch entry without one. */
  decide?: (event: AhpEvent, call: Call<C>) => Awaitable<GenericDecision>;
  /** Any notification without a handler of its own. */
  notify?: (event: AhpEvent, call: Call<C>) => Awaitable<void>;
  query?: (query: QueryParams, call: Call<C>) => Awaitable<QueryResult>;
  /** Sees each handshake first; may give a session token, or refuse by throwing. */
  handshake?: (hello: HandshakeParams, call: Call<C>) => Awaitable<{ session_token?: string } | void>;
}

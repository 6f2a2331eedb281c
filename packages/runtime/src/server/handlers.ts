import type { RouteBody, RouteName, RouteParams, RouteQuery, RouteReply, Routes } from "@fairlead/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "../domain/actor.ts";
import type { EventLog } from "../ports/event-log.ts";
import type { Services } from "../services/types.ts";
import type { CockpitFile } from "./cockpit/assets.ts";
import type { Authenticator } from "./auth/authenticator.ts";
import type { Credential } from "./auth/credentials.ts";
import type { LoginLinks } from "./auth/login-links.ts";
import type { Logger } from "./config.ts";
import type { Served } from "./host-check.ts";
import type { Limits } from "./limits.ts";
import type { Metrics } from "./metrics.ts";
import type { Encoder } from "./sse/encode.ts";
import type { Streams } from "./sse/streams.ts";

/** What handlers work with. */
export interface Context {
  readonly log: EventLog;
  readonly services: Services;
  readonly auth: Authenticator;
  readonly streams: Streams;
  readonly encoder: Encoder;
  readonly links: LoginLinks;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly limits: Limits;
  readonly version: string;
  /** What pages tell who is not signed in. */
  readonly linkCommand: string;
  /** The web page, where there is one. */
  readonly document: CockpitFile | undefined;
  /** Known only once the server listens. */
  readonly served: () => Served;
  /** Now, in milliseconds. */
  readonly now: () => number;
  /** Throws shutting_down once it takes no new work. */
  readonly demandTaking: () => void;
}

/** A request that may be made: its parts fit the route's schemas, and its actor has the role. */
export interface Call<N extends RouteName> {
  readonly actor: Routes[N]["role"] extends null ? null : Actor;
  readonly credential: Routes[N]["role"] extends null ? null : Credential;
  readonly params: RouteParams<N>;
  readonly query: RouteQuery<N>;
  readonly body: RouteBody<N>;
  readonly idempotencyKey: string | undefined;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** The handler has taken over the response. */
export const STREAMING = "streaming" as const;

type Frozen<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends (infer Item)[]
      ? readonly Frozen<Item>[]
      : { readonly [K in keyof T]: Frozen<T[K]> };

type Raw = { text: string; html: string; bytes: Uint8Array; sse: typeof STREAMING };
type Plain<N extends RouteName> = Routes[N]["reply"] extends keyof Raw
  ? Raw[Routes[N]["reply"]]
  : Routes[N]["reply"] extends null
    ? void
    : Frozen<RouteReply<N>>;

/** What the table says that the route answers with. */
export type Answer<N extends RouteName> = Routes[N] extends { readonly streams: true }
  ? Plain<N> | typeof STREAMING
  : Plain<N>;

export type Handler<N extends RouteName> = (call: Call<N>) => Promise<Answer<N>> | Answer<N>;

/** One for each route of the table: a route without a handler does not compile. */
export type Handlers = { readonly [N in RouteName]: Handler<N> };

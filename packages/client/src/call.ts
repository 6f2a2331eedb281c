import type {
  RouteBody,
  RouteDef,
  RouteName,
  RouteParams,
  RouteQuery,
  RouteReply,
  Routes,
} from "@fairlead/contract";
import { ROUTES } from "@fairlead/contract";
import { ServerUnreachable } from "./errors.ts";
import { fillPath, type Http } from "./http.ts";

/** Streams are followed with `eventStream`, and the sign-in link is for browsers to open. */
export type CallName = {
  [N in RouteName]: Routes[N]["reply"] extends "sse" ? never : Routes[N]["status"] extends 302 ? never : N;
}[RouteName];

type Part<N extends RouteName, K extends string, V> = Routes[N] extends { readonly [P in K]: unknown }
  ? V
  : unknown;

/** What a route takes, by the table: its parts, and how to call it off. */
export type CallInput<N extends CallName> = Part<N, "params", { readonly params: RouteParams<N> }> &
  Part<N, "query", { readonly query?: Partial<RouteQuery<N>> }> &
  Part<N, "body", { readonly body: RouteBody<N> }> &
  Part<N, "idempotent", { readonly idempotencyKey?: string }> & {
    readonly signal?: AbortSignal;
  };

interface RawReplies {
  text: string;
  html: string;
  bytes: Uint8Array;
}

export type CallReply<N extends CallName> = Routes[N]["reply"] extends keyof RawReplies
  ? RawReplies[Routes[N]["reply"]]
  : Routes[N]["reply"] extends null
    ? void
    : RouteReply<N>;

/** Nothing to give means nothing to write. */
export type CallArgs<N extends CallName> =
  object extends CallInput<N> ? [input?: CallInput<N>] : [input: CallInput<N>];

export type Call = <N extends CallName>(name: N, ...input: CallArgs<N>) => Promise<CallReply<N>>;

interface AnyInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** Calls any route of the table. Replies are not validated: a newer server may say more than we know. */
export function createCall(http: Http): Call {
  async function call(name: CallName, input: AnyInput = {}): Promise<unknown> {
    const route: RouteDef = ROUTES[name];
    const { params = {}, query, body, idempotencyKey, signal } = input;
    const response = await http.send({
      method: route.method,
      path: fillPath(route.path, params),
      ...(query === undefined ? {} : { query }),
      ...(route.body === undefined ? {} : { body: body ?? {} }),
      ...(idempotencyKey === undefined ? {} : { headers: { "idempotency-key": idempotencyKey } }),
      signal,
    });
    return readReply(route, response, http.url, signal);
  }
  return call as Call;
}

async function readReply(
  route: RouteDef,
  response: Response,
  url: string,
  signal?: AbortSignal,
): Promise<unknown> {
  try {
    if (route.reply === null) return void (await response.body?.cancel());
    if (route.reply === "text" || route.reply === "html") return await response.text();
    if (route.reply === "bytes") return new Uint8Array(await response.arrayBuffer());
    return await response.json();
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (cause instanceof SyntaxError) {
      throw new ServerUnreachable(`${url} answered, but not as Fairlead does.`, {
        status: response.status,
        cause,
      });
    }
    throw new ServerUnreachable(`The answer from ${url} was cut off.`, { cause });
  }
}

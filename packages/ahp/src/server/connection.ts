import { AhpError } from "../protocol/errors.ts";
import type { HandshakeParams, HandshakeResult } from "../protocol/methods.ts";
import { isMethod } from "../protocol/methods.ts";
import type { Incoming } from "../rpc/read.ts";
import { parseJson, readIncoming } from "../rpc/read.ts";
import { NO_ID, writeError, writeResult } from "../rpc/write.ts";
import { createBacklog } from "./backlog.ts";
import { askBatch, readBatch } from "./batch.ts";
import { askEvent, readEvent, tellEvent } from "./event.ts";
import { andThen, isPromise, toFailure } from "./guard.ts";
import type { Call, Delivery, Handlers } from "./handlers.ts";
import { askHandshake, readHandshake } from "./handshake.ts";
import type { Ignored, Limits } from "./options.ts";
import { askQuery } from "./query.ts";

type Awaitable<T> = T | Promise<T>;
type Request = Extract<Incoming, { kind: "request" }>;
type Notification = Extract<Incoming, { kind: "notification" }>;

/** A text is the answer to send. An error is a notification that was not taken: only HTTP can say so. */
export type Reply = string | AhpError | undefined;

/** Remembers whether the peer has greeted; for HTTP this outlives a connection. */
export interface Greeting {
  get(): HandshakeParams | undefined;
  set(hello: HandshakeParams): void;
}

export interface Peer<C> {
  readonly transport: string;
  readonly context: C;
  readonly greeting?: Greeting;
}

export interface ServerConnection {
  /** One message in, its reply out. Never throws, never rejects. */
  receive(text: string): Awaitable<Reply>;
  /** The reply to bytes that were no message. */
  refuse(error: AhpError): string;
  /** Resolves when reading may go on; undefined when it may at once. */
  backlog(): Promise<void> | undefined;
  /** Requests that wait for their answer. */
  readonly inFlight: number;
  readonly greeted: boolean;
  /** The peer is gone: tells the handlers. */
  close(): void;
}

/** What one server gives to each of its connections. */
export interface Service<C> {
  readonly handlers: Handlers<C>;
  readonly limits: Limits;
  readonly offer: HandshakeResult;
  readonly requireHandshake: boolean;
  readonly onIgnored: (ignored: Ignored<C>) => void;
}

export function openConnection<C>(service: Service<C>, peer: Peer<C>): ServerConnection {
  const { handlers, limits } = service;
  const gone = new AbortController();
  const greeting = peer.greeting ?? ownGreeting();
  const calls = {
    request: callFor("request"),
    notification: callFor("notification"),
    batch: callFor("batch"),
  } satisfies Record<Delivery, Call<C>>;
  const notices = createBacklog(limits.maxNotices);
  let inFlight = 0;

  function callFor(delivery: Delivery): Call<C> {
    const { transport, context } = peer;
    return {
      transport,
      context,
      delivery,
      signal: gone.signal,
      get agent() {
        return greeting.get();
      },
    };
  }

  function receive(text: string): Awaitable<Reply> {
    try {
      return take(text);
    } catch (error) {
      // A store behind the greeting, or an observer, broke its word not to throw.
      return refuse(toFailure(error));
    }
  }

  function take(text: string): Awaitable<Reply> {
    const message = parseJson(text);
    const incoming = message instanceof AhpError ? message : readIncoming(message);
    if (incoming instanceof AhpError) return refuse(incoming);
    return incoming.kind === "request" ? request(incoming) : notification(incoming);
  }

  function refuse(error: AhpError): string {
    ignored(error, undefined, undefined, "request");
    return writeError(NO_ID, error);
  }

  function request({ id, method, params }: Request): Awaitable<string> {
    if (inFlight >= limits.maxInFlight) {
      return writeError(id, new AhpError("overloaded", `${inFlight} requests are unanswered`));
    }
    const result = answer(method, params);
    if (!isPromise(result)) return writeOutcome(id, result);
    inFlight += 1;
    return result.catch(toFailure).then((result) => {
      inFlight -= 1;
      return writeOutcome(id, result);
    });
  }

  function answer(method: string, params: unknown): Awaitable<unknown> {
    if (!isMethod(method))
      return new AhpError("method_not_found", `No such method: ${method.slice(0, 100)}`);
    if (method !== "ahp/handshake" && !hasGreeted()) return handshakeFirst();
    switch (method) {
      case "ahp/handshake":
        return greet(params);
      case "ahp/event": {
        const event = readEvent(params, limits.maxDepth);
        return event instanceof AhpError ? event : askEvent(event, handlers, calls.request);
      }
      case "ahp/query":
        return askQuery(params, handlers, calls.request);
      case "ahp/batch": {
        const events = readBatch(params, limits);
        return events instanceof AhpError ? events : askBatch(events, handlers, calls.batch);
      }
    }
  }

  function greet(params: unknown): Awaitable<HandshakeResult | AhpError> {
    const hello = readHandshake(params);
    if (hello instanceof AhpError) return hello;
    return andThen(askHandshake(hello, service.offer, handlers, calls.request), (result) => {
      if (!(result instanceof AhpError)) greeting.set(hello);
      return result;
    });
  }

  function notification({ method, params }: Notification): Awaitable<AhpError | undefined> {
    const failure = takeNotice(method, params);
    const done = andThen(failure, (failure) => {
      if (failure !== undefined) ignored(failure, method, params, "notification");
      // An unknown method is ignored by rule; that is no failure to tell the peer about.
      return failure?.code === "method_not_found" ? undefined : failure;
    });
    if (isPromise(done)) notices.add(done);
    return done;
  }

  function takeNotice(method: string, params: unknown): Awaitable<AhpError | undefined> {
    if (method !== "ahp/event") {
      if (!isMethod(method))
        return new AhpError("method_not_found", `No such method: ${method.slice(0, 100)}`);
      return new AhpError("invalid_request", `${method} must be sent as a request`);
    }
    if (!hasGreeted()) return handshakeFirst();
    const event = readEvent(params, limits.maxDepth);
    return event instanceof AhpError ? event : tellEvent(event, handlers, calls.notification);
  }

  function ignored(
    reason: AhpError,
    method: string | undefined,
    params: unknown,
    delivery: Delivery,
  ): void {
    try {
      service.onIgnored({ reason, method, params, call: calls[delivery] });
    } catch {
      // A broken recorder must not break the connection.
    }
  }

  function hasGreeted(): boolean {
    return !service.requireHandshake || greeting.get() !== undefined;
  }

  return {
    receive,
    refuse,
    backlog: notices.room,
    get inFlight() {
      return inFlight;
    },
    get greeted() {
      return hasGreeted();
    },
    close: () => gone.abort(),
  };
}

function writeOutcome(id: string | number, outcome: unknown): string {
  if (outcome instanceof AhpError) return writeError(id, outcome);
  try {
    return writeResult(id, outcome);
  } catch {
    // Too deep or circular: the handler returned what JSON cannot carry.
    return writeError(id, new AhpError("handler_failed", "Handler error: the answer is not JSON"));
  }
}

function handshakeFirst(): AhpError {
  return new AhpError("handshake_required", "Handshake first");
}

function ownGreeting(): Greeting {
  let hello: HandshakeParams | undefined;
  return {
    get: () => hello,
    set: (given) => {
      hello = given;
    },
  };
}

import type { Awaitable } from "../awaitable.ts";
import { andThen, isPromise } from "../awaitable.ts";
import { AhpError } from "../protocol/errors.ts";
import type { RpcId } from "../protocol/rpc.ts";
import { parseJson, readIncoming } from "../rpc/read.ts";
import { NO_ID, writeError, writeResult } from "../rpc/write.ts";
import { createBacklog } from "./backlog.ts";
import type { Desk, Service } from "./dispatch.ts";
import { dispatchNotice, dispatchRequest } from "./dispatch.ts";
import type { Greeting } from "./door.ts";
import { createDoor, ownGreeting } from "./door.ts";
import { toFailure } from "./guard.ts";
import type { Call, Delivery } from "./handlers.ts";

/** A text is the answer to send. An error is a notification that was not taken: only HTTP can say so. */
export type Reply = string | AhpError | undefined;

export interface Peer<C> {
  readonly transport: string;
  readonly context: C;
  /** Where the handshake is remembered; in the connection unless given. */
  readonly greeting?: Greeting;
}

export interface ServerConnection {
  /** One message in, its reply out. Never throws, never rejects. */
  receive(text: string): Awaitable<Reply>;
  /** The reply to bytes that were no message. */
  refuse(error: AhpError): string;
  /** Resolves when reading may go on; undefined when it may at once. */
  backlog(): Promise<void> | undefined;
  readonly greeted: boolean;
  /** The peer is gone: tells the handlers. */
  close(): void;
}

export function openConnection<C>(service: Service<C>, peer: Peer<C>): ServerConnection {
  const { limits, requireHandshake } = service;
  let gone: AbortController | undefined;
  let isGone = false;
  const greeting = peer.greeting ?? ownGreeting();
  const door = createDoor(greeting, requireHandshake);
  const calls = {
    request: callFor("request"),
    notification: callFor("notification"),
    batch: callFor("batch"),
  };
  const desk: Desk<C> = { service, door, calls };
  const notices = createBacklog(limits.maxNotices);
  const held = createBacklog(limits.maxHeldBytes);
  let inFlight = 0;

  function callFor(delivery: Delivery): Call<C> {
    const { transport, context } = peer;
    return {
      transport,
      context,
      delivery,
      // Made when first asked for: few handlers need it, and every HTTP message is a connection.
      get signal() {
        gone ??= new AbortController();
        if (isGone) gone.abort();
        return gone.signal;
      },
      get agent() {
        return greeting.get();
      },
    };
  }

  function take(text: string): Awaitable<Reply> {
    const message = parseJson(text);
    const incoming = message instanceof AhpError ? message : readIncoming(message);
    if (incoming instanceof AhpError) return refuse(incoming);
    const { method, params } = incoming;
    const reply = incoming.kind === "request" ? answer(incoming.id, method, params) : listen(method, params);
    if (isPromise<Reply>(reply)) held.add(reply, text.length);
    return reply;
  }

  function answer(id: RpcId, method: string, params: unknown): Awaitable<string> {
    if (inFlight >= limits.maxInFlight) {
      return writeError(id, new AhpError("overloaded", `${inFlight} requests are unanswered`));
    }
    const result = dispatchRequest(desk, method, params);
    if (!isPromise(result)) return writeOutcome(id, result);
    inFlight += 1;
    return result.catch(toFailure).then((result) => {
      inFlight -= 1;
      return writeOutcome(id, result);
    });
  }

  function listen(method: string, params: unknown): Awaitable<AhpError | undefined> {
    const done = andThen(dispatchNotice(desk, method, params), (failure) => {
      if (failure === undefined) return undefined;
      record(failure, method, params);
      // An unknown method is ignored by rule; that is no failure to tell the peer about.
      return failure.code === "method_not_found" ? undefined : failure;
    });
    if (isPromise(done)) notices.add(done);
    return done;
  }

  function refuse(error: AhpError): string {
    record(error, undefined, undefined);
    return writeError(NO_ID, error);
  }

  function record(reason: AhpError, method: string | undefined, params: unknown): void {
    try {
      service.onIgnored({ reason, method, params, call: calls.notification });
    } catch {
      // A broken recorder must not break the connection.
    }
  }

  return {
    receive(text) {
      try {
        const reply = take(text);
        return isPromise(reply) ? reply.catch(toFailure) : reply;
      } catch (error) {
        // A greeting store broke its word; whatever was asked is not granted.
        return refuse(toFailure(error));
      }
    },
    refuse,
    backlog() {
      const [few, small] = [notices.room(), held.room()];
      return few === undefined || small === undefined ? (few ?? small) : few.then(() => small);
    },
    get greeted() {
      return door.isOpen;
    },
    close() {
      isGone = true;
      gone?.abort();
    },
  };
}

function writeOutcome(id: RpcId, outcome: unknown): string {
  if (outcome instanceof AhpError) return writeError(id, outcome);
  try {
    return writeResult(id, outcome);
  } catch {
    // Too deep or circular: the handler returned what JSON cannot carry.
    return writeError(id, new AhpError("handler_failed", "Handler error: the answer is not JSON"));
  }
}

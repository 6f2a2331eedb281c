import type { Awaitable } from "../awaitable.ts";
import { AhpError } from "../protocol/errors.ts";
import type { HandshakeResult } from "../protocol/methods.ts";
import { isMethod } from "../protocol/methods.ts";
import { askBatch, readBatch } from "./batch.ts";
import type { Door } from "./door.ts";
import { askEvent, readEvent, tellEvent } from "./event.ts";
import type { Call, Delivery, Handlers } from "./handlers.ts";
import { askHandshake, readHandshake } from "./handshake.ts";
import type { Ignored, Limits } from "./options.ts";
import { askQuery } from "./query.ts";

/** What one server gives to each of its connections. */
export interface Service<C> {
  readonly handlers: Handlers<C>;
  readonly limits: Limits;
  readonly offer: HandshakeResult;
  readonly requireHandshake: boolean;
  readonly onIgnored: (ignored: Ignored<C>) => void;
}

export interface Desk<C> {
  readonly service: Service<C>;
  readonly door: Door;
  readonly calls: Record<Delivery, Call<C>>;
}

/** A request: its result, or the error to answer with. */
export function dispatchRequest<C>(desk: Desk<C>, method: string, params: unknown): Awaitable<unknown> {
  const { service, door, calls } = desk;
  const { handlers, limits, offer } = service;
  if (!isMethod(method)) return noSuchMethod(method);
  switch (method) {
    case "ahp/handshake": {
      const hello = readHandshake(params);
      if (hello instanceof AhpError) return hello;
      return door.greet(hello, () => askHandshake(hello, offer, handlers, calls.request));
    }
    case "ahp/event":
      return door.pass(() => {
        const event = readEvent(params, limits.maxDepth);
        return event instanceof AhpError ? event : askEvent(event, handlers, calls.request);
      });
    case "ahp/query":
      return door.pass(() => askQuery(params, handlers, calls.request));
    case "ahp/batch":
      return door.pass(() => {
        const events = readBatch(params, limits);
        return events instanceof AhpError ? events : askBatch(events, handlers, calls.batch);
      });
  }
}

/** A notification: nothing, or why it was not taken. */
export function dispatchNotice<C>(
  desk: Desk<C>,
  method: string,
  params: unknown,
): Awaitable<AhpError | undefined> {
  const { service, door, calls } = desk;
  if (!isMethod(method)) return noSuchMethod(method);
  if (method !== "ahp/event") {
    return new AhpError("invalid_request", `${method} must be sent as a request`);
  }
  return door.pass(() => {
    const event = readEvent(params, service.limits.maxDepth);
    return event instanceof AhpError ? event : tellEvent(event, service.handlers, calls.notification);
  });
}

function noSuchMethod(method: string): AhpError {
  return new AhpError("method_not_found", `No such method: ${method.slice(0, 100)}`);
}

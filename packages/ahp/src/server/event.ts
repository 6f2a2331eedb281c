import type { Awaitable } from "../awaitable.ts";
import { checkAsSent } from "../protocol/as-sent.ts";
import { AhpError } from "../protocol/errors.ts";
import { AhpEvent } from "../protocol/event.ts";
import type { BlockingType } from "../protocol/events.ts";
import { AHP_EVENTS, isBlocking, METHOD_EVENTS } from "../protocol/events.ts";
import { withTypedPayload } from "../protocol/typed-payload.ts";
import { runHandler, runObserver } from "./guard.ts";
import type { Call, Handlers } from "./handlers.ts";

/** An event that fits the envelope, is not too deep, and keeps the runtime contract if it is bound to one. */
export function readEvent(params: unknown, maxDepth: number): AhpEvent | AhpError {
  const event = checkAsSent(AhpEvent, params, "invalid_params", "Invalid event");
  if (event instanceof AhpError) return methodEvent(params) ?? event;
  if (event.depth > maxDepth) {
    return new AhpError("event_too_deep", `Event depth ${event.depth} is over the limit of ${maxDepth}`);
  }
  return AHP_EVENTS[event.event_type].contract ? withTypedPayload(event) : event;
}

/** `ahp/event` as a request: the decision. */
export function askEvent<C>(event: AhpEvent, handlers: Handlers<C>, call: Call<C>): Awaitable<unknown> {
  const type = event.event_type;
  if (!isBlocking(type)) {
    return new AhpError("not_a_question", `${type} is fire-and-forget: send it as a notification`);
  }
  const { decision, batchable } = AHP_EVENTS[type];
  const own = handlers[type] as ((event: AhpEvent, call: Call<C>) => unknown) | undefined;
  if (own !== undefined) {
    const typed = withTypedPayload(event);
    return typed instanceof AhpError ? typed : runHandler(() => own(typed, call), decision);
  }
  const { decide } = handlers;
  if (batchable && decide !== undefined) return runHandler(() => decide(event, call), decision);
  // A harness that only knows the generic decision lets the agent idle.
  if (type === "idle" && decide !== undefined) return { decision: "allow" };
  return unsupported(type);
}

/** `ahp/event` as a notification: nothing, or why it was not taken. */
export function tellEvent<C>(
  event: AhpEvent,
  handlers: Handlers<C>,
  call: Call<C>,
): Awaitable<AhpError | undefined> {
  const type = event.event_type;
  if (isBlocking(type)) {
    return new AhpError("not_a_notice", `${type} needs a decision: send it as a request`);
  }
  const own = handlers[type] as ((event: AhpEvent, call: Call<C>) => unknown) | undefined;
  if (own !== undefined) {
    const typed = withTypedPayload(event);
    return typed instanceof AhpError ? typed : runObserver(() => own(typed, call));
  }
  const { notify } = handlers;
  return notify === undefined ? undefined : runObserver(() => notify(event, call));
}

export function unsupported(type: BlockingType | string): AhpError {
  return new AhpError("capability_unsupported", `Capability not supported: ${type}`);
}

function methodEvent(params: unknown): AhpError | undefined {
  const type = (params as { event_type?: unknown } | null | undefined)?.event_type;
  if (type !== "handshake" && type !== "query") return undefined;
  return new AhpError("invalid_params", `${type} has its own method, ${METHOD_EVENTS[type]}`);
}

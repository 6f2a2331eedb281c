import { AhpError } from "../protocol/errors.ts";
import type { AhpEvent } from "../protocol/event.ts";
import type { EventType, PayloadInput } from "../protocol/events.ts";
import { AHP_EVENTS, isBlocking } from "../protocol/events.ts";
import type { HarnessConfig } from "../protocol/methods.ts";
import { withTypedPayload } from "../protocol/typed-payload.ts";

/** A whole event as a caller gives it. */
export type EventInput<T extends EventType> = T extends EventType
  ? Omit<AhpEvent, "event_type" | "payload"> & { event_type: T; payload: PayloadInput<T> }
  : never;

type Given = AhpEvent | AhpError;

export function readQuestion(given: Given, limits: HarnessConfig): AhpEvent | AhpError {
  const event = readOutgoing(given, limits);
  if (event instanceof AhpError || isBlocking(event.event_type)) return event;
  return new AhpError("not_a_question", `${event.event_type} is fire-and-forget: use notify`);
}

export function readNotice(given: Given, limits: HarnessConfig): AhpEvent | AhpError {
  const event = readOutgoing(given, limits);
  if (event instanceof AhpError || !isBlocking(event.event_type)) return event;
  return new AhpError("not_a_notice", `${event.event_type} needs a decision: use decide`);
}

export function readOutgoingBatch(given: readonly Given[], limits: HarnessConfig): AhpEvent[] | AhpError {
  if (limits.batch_size !== undefined && given.length > limits.batch_size) {
    const message = `Batch of ${given.length} is over the harness's limit of ${limits.batch_size}`;
    return new AhpError("batch_too_large", message);
  }
  const events: AhpEvent[] = [];
  for (const entry of given) {
    const event = readOutgoing(entry, limits);
    if (event instanceof AhpError) return event;
    if (!AHP_EVENTS[event.event_type].batchable) {
      return new AhpError("not_batchable", `${event.event_type} cannot be sent in a batch`);
    }
    events.push(event);
  }
  return events;
}

/** The event as it goes out, or why it must not: the same checks the harness will make. */
function readOutgoing(event: Given, limits: HarnessConfig): AhpEvent | AhpError {
  if (event instanceof AhpError) return event;
  if (limits.max_depth !== undefined && event.depth > limits.max_depth) {
    const message = `Event depth ${event.depth} is over the harness's limit of ${limits.max_depth}`;
    return new AhpError("event_too_deep", message);
  }
  return withTypedPayload(event);
}

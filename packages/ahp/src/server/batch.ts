import type { Awaitable } from "../awaitable.ts";
import { andThen, isPromise } from "../awaitable.ts";
import { AhpError } from "../protocol/errors.ts";
import type { AhpEvent } from "../protocol/event.ts";
import { AHP_EVENTS } from "../protocol/events.ts";
import { GenericDecision } from "../protocol/events/generic.ts";
import type { BatchResult } from "../protocol/methods.ts";
import { readEvent, tellEvent, unsupported } from "./event.ts";
import { runHandler } from "./guard.ts";
import type { Call, Handlers } from "./handlers.ts";
import type { Limits } from "./options.ts";

/** The entries of a batch, all of them good, or the error that fails the whole batch. */
export function readBatch(params: unknown, limits: Limits): AhpEvent[] | AhpError {
  const entries = (params as { events?: unknown } | null | undefined)?.events;
  if (!Array.isArray(entries)) {
    return new AhpError("invalid_params", "Invalid batch: events must be an array");
  }
  // Counted before any entry is read: a huge batch costs nothing.
  if (entries.length > limits.batchSize) {
    const message = `Batch of ${entries.length} is over the limit of ${limits.batchSize}`;
    return new AhpError("batch_too_large", message);
  }
  const events: AhpEvent[] = [];
  for (const [index, entry] of entries.entries()) {
    const event = readEntry(entry, limits);
    if (event instanceof AhpError) return new AhpError(event.code, `Entry ${index}: ${event.message}`);
    events.push(event);
  }
  return events;
}

/** One decision an entry, in order. All entries start together; none waits for another. */
export function askBatch<C>(
  events: readonly AhpEvent[],
  handlers: Handlers<C>,
  call: Call<C>,
): Awaitable<BatchResult> {
  const decisions = events.map((event) => askEntry(event, handlers, call));
  return decisions.some(isPromise)
    ? Promise.all(decisions).then((decisions) => ({ decisions }))
    : { decisions: decisions as GenericDecision[] };
}

function readEntry(entry: unknown, limits: Limits): AhpEvent | AhpError {
  const event = readEvent(entry, limits.maxDepth);
  if (event instanceof AhpError || AHP_EVENTS[event.event_type].batchable) return event;
  return new AhpError("not_batchable", `${event.event_type} cannot be sent in a batch`);
}

function askEntry<C>(event: AhpEvent, handlers: Handlers<C>, call: Call<C>): Awaitable<GenericDecision> {
  return andThen(decideEntry(event, handlers, call), (decision) =>
    // Fail closed: an entry that nobody could decide is blocked.
    decision instanceof AhpError ? { decision: "block", reason: blockReason(decision) } : decision,
  );
}

function decideEntry<C>(
  event: AhpEvent,
  handlers: Handlers<C>,
  call: Call<C>,
): Awaitable<GenericDecision | AhpError> {
  const type = event.event_type;
  if (type === "pre_action" || type === "pre_prompt") {
    const gate = handlers[type] ?? handlers.decide;
    if (gate === undefined) return unsupported(type);
    return runHandler(() => gate(event as never, call), GenericDecision);
  }
  // Fire-and-forget entries go to the generic handler too; without one, being heard is enough.
  const { decide } = handlers;
  if (decide !== undefined) return runHandler(() => decide(event, call), GenericDecision);
  if (handlers.notify === undefined && !Object.hasOwn(handlers, type)) return unsupported(type);
  return andThen(tellEvent(event, handlers, call), (failure) => failure ?? { decision: "allow" });
}

function blockReason(error: AhpError): string {
  return error.message.startsWith("Handler error:") ? error.message : `Handler error: ${error.message}`;
}

import { AHP_EVENTS, EVENT_TYPES, isBlocking } from "../protocol/events.ts";
import type { Handlers } from "./handlers.ts";

/** What the handlers can do, in the words of the handshake. */
export function capabilitiesOf<C>(handlers: Handlers<C>): string[] {
  const has = (name: keyof Handlers<C>) => handlers[name] !== undefined;
  const events = EVENT_TYPES.filter((type) => {
    if (has(type)) return true;
    return isBlocking(type) ? AHP_EVENTS[type].batchable && has("decide") : has("notify");
  });
  const gated = has("decide") || has("pre_action") || has("pre_prompt");
  return [...events, ...(has("query") ? ["query"] : []), ...(gated ? ["batch"] : [])];
}

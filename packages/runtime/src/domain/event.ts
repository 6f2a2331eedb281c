import type { AnyEvent, EventType, StoredEvent } from "@fairlead/contract";

/** Narrows an event to one type. Events of types this program does not know pass by every such check. */
export function is<T extends EventType>(event: AnyEvent, type: T): event is StoredEvent<T> {
  return event.type === type;
}

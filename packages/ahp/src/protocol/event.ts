import { z } from "zod";

import { EventContext } from "./context.ts";
import type { EventType, PayloadOf } from "./events.ts";
import { EVENT_TYPES } from "./events.ts";
import { Json, Metadata, unset } from "./fields.ts";

/** One event on the wire. The payload is checked apart, by its type's own schema. */
export const AhpEvent = z.object({
  event_type: z.enum(EVENT_TYPES as [EventType, ...EventType[]]),
  session_id: z.string(),
  agent_id: z.string(),
  timestamp: z.string(),
  depth: z.uint32(),
  payload: Json,
  context: unset(EventContext),
  metadata: unset(Metadata),
});
export type AhpEvent = z.infer<typeof AhpEvent>;

/** An event whose type, and with it the payload, is known. */
export type EventOf<T extends EventType> = T extends EventType
  ? Omit<AhpEvent, "event_type" | "payload"> & { event_type: T; payload: PayloadOf<T> }
  : never;

import type { z } from "zod";

import { checkAsSent } from "./as-sent.ts";
import { AhpError } from "./errors.ts";
import type { AhpEvent } from "./event.ts";
import { AHP_EVENTS } from "./events.ts";

/** The event with its payload checked by the type's schema, and otherwise as sent; free payloads pass as they are. */
export function withTypedPayload(event: AhpEvent): AhpEvent | AhpError {
  const schema: z.ZodType | null = AHP_EVENTS[event.event_type].payload;
  if (schema === null) return event;
  const what = `Invalid ${event.event_type} payload`;
  const payload = checkAsSent(schema, event.payload, "invalid_payload", what);
  return payload instanceof AhpError ? payload : { ...event, payload };
}

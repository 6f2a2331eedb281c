import type { z } from "zod";

import { check } from "./check.ts";
import { AhpError } from "./errors.ts";
import type { AhpEvent } from "./event.ts";
import { AHP_EVENTS } from "./events.ts";

/** The event with its payload as the type's schema reads it; free payloads pass as they are. */
export function withTypedPayload(event: AhpEvent): AhpEvent | AhpError {
  const schema: z.ZodType | null = AHP_EVENTS[event.event_type].payload;
  if (schema === null) return event;
  const what = `Invalid ${event.event_type} payload`;
  const payload = check(schema, event.payload, "invalid_payload", what);
  return payload instanceof AhpError ? payload : { ...event, payload };
}

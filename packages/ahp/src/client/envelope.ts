import { checkAsSent } from "../protocol/as-sent.ts";
import type { AhpError } from "../protocol/errors.ts";
import { AhpEvent } from "../protocol/event.ts";
import type { EventType } from "../protocol/events.ts";
import { isEventType } from "../protocol/events.ts";
import type { EventOptions } from "./options.ts";

/** Puts an event around a payload. */
export type Envelope = (type: EventType, payload: unknown, options: EventOptions) => AhpEvent | AhpError;

export interface Sender {
  readonly sessionId: string;
  readonly agentId: string;
  readonly now: () => Date;
}

export function createEnvelope({ sessionId, agentId, now }: Sender): Envelope {
  const stamp = createStamp(now);
  return (type, payload, { depth, context, metadata }) => {
    const event = {
      event_type: type,
      session_id: sessionId,
      agent_id: agentId,
      timestamp: stamp(),
      depth: depth ?? 0,
      payload,
      context,
      metadata,
    };
    // Right by construction, unless the caller said more; this is the path of nearly every call.
    const isPlain = depth === undefined && context === undefined && metadata === undefined;
    return isPlain && payload !== undefined && isEventType(type) ? event : readEnvelope(event);
  };
}

/** A whole event, made elsewhere. */
export function readEnvelope(given: unknown): AhpEvent | AhpError {
  return checkAsSent(AhpEvent, given, "invalid_params", "Invalid event");
}

/** The time as text; made once a millisecond, however many events there are in it. */
function createStamp(now: () => Date): () => string {
  let last = Number.NaN;
  let text = "";
  return () => {
    const date = now();
    if (date.getTime() !== last) {
      last = date.getTime();
      text = date.toISOString();
    }
    return text;
  };
}

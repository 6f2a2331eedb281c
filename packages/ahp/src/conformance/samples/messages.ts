import type { EventType } from "../../protocol/events.ts";
import type { HandshakeParams } from "../../protocol/methods.ts";
import { FULL } from "./payloads.ts";

export const HELLO: HandshakeParams = {
  protocol_version: "2.4",
  agent_info: { framework: "conformance", version: "1.0.0", capabilities: ["pre_action"] },
  session_id: "sess-1",
  agent_id: "agent-1",
};

export type WireEvent = Record<string, unknown>;

/** A good event of a type; what is given replaces what it says. */
export function eventOf(type: EventType, given: WireEvent = {}): WireEvent {
  return {
    event_type: type,
    session_id: "sess-1",
    agent_id: "agent-1",
    timestamp: "2026-05-01T00:00:00Z",
    depth: 0,
    payload: FULL[type],
    ...given,
  };
}

import { z } from "zod";

import { AhpEvent } from "./event.ts";
import { GenericDecision } from "./events/generic.ts";
import { Count, Json, Texts, unset } from "./fields.ts";

export const AgentInfo = z.object({
  framework: z.string(),
  version: z.string(),
  capabilities: Texts,
});
export type AgentInfo = z.infer<typeof AgentInfo>;

export const HarnessInfo = z.object({ name: z.string(), version: z.string(), capabilities: Texts });
export type HarnessInfo = z.infer<typeof HarnessInfo>;

/** The limits a harness enforces, told to the agent in the handshake. */
export const HarnessConfig = z.object({
  timeout_ms: unset(Count),
  batch_size: unset(Count),
  max_depth: unset(z.uint32()),
});
export type HarnessConfig = z.infer<typeof HarnessConfig>;

export const HandshakeParams = z.object({
  protocol_version: z.string(),
  agent_info: AgentInfo,
  session_id: z.string(),
  agent_id: z.string(),
});
export type HandshakeParams = z.infer<typeof HandshakeParams>;

export const HandshakeResult = z.object({
  protocol_version: z.string(),
  harness_info: HarnessInfo,
  session_token: unset(z.string()),
  config: unset(HarnessConfig),
});
export type HandshakeResult = z.infer<typeof HandshakeResult>;

export const QueryParams = z.object({
  session_id: z.string(),
  agent_id: z.string(),
  query_type: z.string(),
  payload: Json,
});
export type QueryParams = z.infer<typeof QueryParams>;

export const QueryResult = z.object({
  answer: Json,
  reason: unset(z.string()),
  alternatives: unset(Texts),
});
export type QueryResult = z.infer<typeof QueryResult>;

export const BatchParams = z.object({ events: z.array(AhpEvent) });
export type BatchParams = z.infer<typeof BatchParams>;

export const BatchResult = z.object({ decisions: z.array(GenericDecision) });
export type BatchResult = z.infer<typeof BatchResult>;

/** Every method, all from agent to harness. An event's result depends on its type: see AHP_EVENTS. */
export const AHP_METHODS = {
  "ahp/handshake": {
    doc: "Agree on the version; learn capabilities and limits.",
    notification: false,
    params: HandshakeParams,
    result: HandshakeResult,
  },
  "ahp/event": {
    doc: "One event: a request when its type blocks, else a notification.",
    notification: true,
    params: AhpEvent,
    result: null,
  },
  "ahp/query": {
    doc: "Ask the harness for information.",
    notification: false,
    params: QueryParams,
    result: QueryResult,
  },
  "ahp/batch": {
    doc: "Several generic-decision events in one request, answered in order.",
    notification: false,
    params: BatchParams,
    result: BatchResult,
  },
} as const;
export type MethodName = keyof typeof AHP_METHODS;

export function isMethod(name: string): name is MethodName {
  return Object.hasOwn(AHP_METHODS, name);
}

import { z } from "zod";

import { AhpEvent } from "./event.ts";
import { AHP_EVENTS, EVENT_TYPES } from "./events.ts";
import { AHP_METHODS } from "./methods.ts";
import { RpcNotification, RpcRequest, RpcResponse } from "./rpc.ts";
import { PROTOCOL_VERSION } from "./version.ts";

export type JsonSchema = Record<string, unknown>;

export interface ProtocolSchemas {
  readonly protocol_version: string;
  readonly messages: Record<"request" | "notification" | "response", JsonSchema>;
  readonly event: JsonSchema;
  readonly payloads: Record<string, JsonSchema>;
  readonly decisions: Record<string, JsonSchema>;
  readonly methods: Record<string, { params: JsonSchema; result: JsonSchema | null }>;
}

/** JSON Schema of everything on the wire, as a writer must write it: unset fields are left out. */
export function jsonSchemas(): ProtocolSchemas {
  const entries = EVENT_TYPES.map((type) => [type, AHP_EVENTS[type]] as const);
  return {
    protocol_version: PROTOCOL_VERSION,
    messages: {
      request: toSchema(RpcRequest),
      notification: toSchema(RpcNotification),
      response: toSchema(RpcResponse),
    },
    event: toSchema(AhpEvent),
    payloads: Object.fromEntries(
      entries.flatMap(([type, { payload }]) => (payload ? [[type, toSchema(payload)]] : [])),
    ),
    decisions: Object.fromEntries(
      entries.flatMap(([type, { decision }]) => (decision ? [[type, toSchema(decision)]] : [])),
    ),
    methods: Object.fromEntries(
      Object.entries(AHP_METHODS).map(([name, { params, result }]) => [
        name,
        { params: toSchema(params), result: result && toSchema(result) },
      ]),
    ),
  };
}

function toSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: "input" });
}

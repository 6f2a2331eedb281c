import { z } from "zod";

import { unset } from "./fields.ts";

/** We send strings; from others a number is fine too, and echoed as it came. */
export const RpcId = z.union([z.string(), z.number()]);
export type RpcId = z.infer<typeof RpcId>;

export const RpcRequest = z.object({
  jsonrpc: z.literal("2.0"),
  id: RpcId,
  method: z.string(),
  params: z.unknown().optional(),
});
export type RpcRequest = z.infer<typeof RpcRequest>;

export const RpcNotification = z.object({
  jsonrpc: z.literal("2.0"),
  method: z.string(),
  params: z.unknown().optional(),
});
export type RpcNotification = z.infer<typeof RpcNotification>;

export const RpcError = z.object({
  code: z.int(),
  message: z.string(),
  data: unset(z.unknown()),
});

export const RpcResponse = z.object({
  jsonrpc: z.literal("2.0"),
  id: RpcId,
  result: unset(z.unknown()),
  error: unset(RpcError),
});
export type RpcResponse = z.infer<typeof RpcResponse>;

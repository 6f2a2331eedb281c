import type { RpcErrorObject } from "../protocol/errors.ts";
import { AhpError, toRpcError } from "../protocol/errors.ts";
import type { MethodName } from "../protocol/methods.ts";
import type { RpcId } from "../protocol/rpc.ts";

/** The id of an answer to something that had none we could read. */
export const NO_ID = "";

// JSON.stringify leaves out undefined, so an unset field is never written as null.
export function writeRequest(id: string, method: MethodName, params: unknown): string {
  return writeOurs({ jsonrpc: "2.0", id, method, params });
}

export function writeNotification(method: MethodName, params: unknown): string {
  return writeOurs({ jsonrpc: "2.0", method, params });
}

export function writeResult(id: RpcId, result: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

export function writeError(id: RpcId, error: AhpError | RpcErrorObject): string {
  const object = error instanceof Error ? toRpcError(error) : error;
  return JSON.stringify({ jsonrpc: "2.0", id, error: object });
}

function writeOurs(message: object): string {
  try {
    return JSON.stringify(message);
  } catch (cause) {
    throw new AhpError("invalid_payload", `Not JSON: ${(cause as Error).message.split("\n", 1)[0]}`, {
      cause,
    });
  }
}

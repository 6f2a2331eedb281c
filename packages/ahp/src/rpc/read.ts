import { AhpError } from "../protocol/errors.ts";
import type { RpcId } from "../protocol/rpc.ts";

export type Incoming =
  | {
      readonly kind: "request";
      readonly id: RpcId;
      readonly method: string;
      readonly params: unknown;
    }
  | { readonly kind: "notification"; readonly method: string; readonly params: unknown };

/** Parsed JSON, or the error to answer with. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return new AhpError("parse_error", "The message is not JSON");
  }
}

/** What an agent may send, told apart by hand: this runs for every message. */
export function readIncoming(message: unknown): Incoming | AhpError {
  if (typeof message !== "object" || message === null || Array.isArray(message)) {
    return invalid("a message is one JSON object");
  }
  const { jsonrpc, id, method, params } = message as Record<string, unknown>;
  if (jsonrpc !== "2.0") return invalid('jsonrpc must be "2.0"');
  if (typeof method !== "string") return invalid("method must be a string");
  if (!Object.hasOwn(message, "id")) return { kind: "notification", method, params };
  if (isRpcId(id)) return { kind: "request", id, method, params };
  return invalid("id must be a string or a number");
}

function isRpcId(id: unknown): id is RpcId {
  return typeof id === "string" || Number.isFinite(id);
}

function invalid(why: string): AhpError {
  return new AhpError("invalid_request", `Not a JSON-RPC message: ${why}`);
}

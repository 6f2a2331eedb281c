import type { RpcErrorObject } from "../protocol/errors.ts";
import { AhpError } from "../protocol/errors.ts";
import { RpcError } from "../protocol/rpc.ts";
import { NO_ID } from "./write.ts";

/** The result of a request, or the reason there is none. */
export type Answer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: AhpError };

/** The checks on every answer: version, id, error, missing result. */
export function readAnswer(message: unknown, id: string): Answer {
  if (typeof message !== "object" || message === null) return bad("it is not an object");
  const { jsonrpc, id: theirs, result, error } = message as Record<string, unknown>;
  if (jsonrpc !== "2.0") return bad('jsonrpc is not "2.0"');
  const isError = error !== undefined && error !== null;
  // A peer that could not read our message cannot know its id.
  const isAnonymous = isError && (theirs === NO_ID || theirs === null || theirs === undefined);
  if (theirs !== id && !isAnonymous) {
    return failed(new AhpError("id_mismatch", "The answer is not to this request"));
  }
  if (isError) return refused(error);
  if (result === undefined || result === null) return bad("it has neither result nor error");
  return { ok: true, result };
}

function refused(error: unknown): Answer {
  const read = RpcError.safeParse(error);
  if (!read.success) return bad("its error is malformed");
  const rpc: RpcErrorObject = read.data;
  const message = `The harness refused (${rpc.code}): ${rpc.message}`;
  return failed(new AhpError("peer_error", message, { rpc }));
}

function bad(why: string): Answer {
  return failed(new AhpError("bad_answer", `The answer breaks the protocol: ${why}`));
}

function failed(error: AhpError): Answer {
  return { ok: false, error };
}

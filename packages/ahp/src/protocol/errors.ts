/** Every way this package fails: a stable code, what it is on the wire, and what it means. */
export const AHP_ERRORS = {
  parse_error: { rpc: -32700, doc: "The message is not JSON, or not UTF-8." },
  message_too_large: { rpc: -32600, doc: "The message is longer than the limit." },
  invalid_request: { rpc: -32600, doc: "JSON, but no JSON-RPC message." },
  handshake_required: { rpc: -32600, doc: "Only a handshake may come first." },
  unauthorized: { rpc: -32600, doc: "The credential is missing or wrong." },
  method_not_found: { rpc: -32601, doc: "No such method." },
  invalid_params: { rpc: -32602, doc: "The params do not parse." },
  event_too_deep: { rpc: -32602, doc: "The event's depth is over the limit." },
  invalid_payload: { rpc: -32602, doc: "The payload does not fit its event type." },
  not_a_question: { rpc: -32602, doc: "A fire-and-forget event was sent as a request." },
  not_a_notice: { rpc: -32602, doc: "A blocking event was sent as a notification." },
  batch_too_large: { rpc: -32602, doc: "The batch has more events than the limit." },
  not_batchable: { rpc: -32602, doc: "An entry of the batch needs a decision of its own shape." },
  handler_failed: { rpc: -32603, doc: "The harness could not decide." },
  capability_unsupported: { rpc: -32603, doc: "The harness has no handler for this." },
  overloaded: { rpc: -32603, doc: "Too much is in flight already." },
  version_mismatch: { rpc: -32000, doc: "The major versions differ." },
  // What only a client sees; on the wire it would be an internal error.
  peer_error: { rpc: -32603, doc: "The peer answered with an error; see `rpc`." },
  bad_answer: { rpc: -32603, doc: "The peer's answer breaks the protocol." },
  id_mismatch: { rpc: -32603, doc: "The answer carries another request's id." },
  batch_mismatch: { rpc: -32603, doc: "The batch was answered with another number of decisions." },
  timeout: { rpc: -32603, doc: "No answer in time." },
  aborted: { rpc: -32603, doc: "The caller gave up." },
  closed: { rpc: -32603, doc: "This end is closed." },
  connection_lost: { rpc: -32603, doc: "The connection broke before the answer." },
  connection_failed: { rpc: -32603, doc: "The peer cannot be reached." },
  transport_unsupported: { rpc: -32603, doc: "No such transport here." },
  dependency_missing: { rpc: -32603, doc: "An optional package is not installed." },
} as const satisfies Record<string, { rpc: number; doc: string }>;
export type AhpErrorCode = keyof typeof AHP_ERRORS;

/** The error object inside a JSON-RPC response. */
export interface RpcErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export class AhpError extends Error {
  override readonly name = "AhpError";
  readonly code: AhpErrorCode;
  /** What the peer said, when it was the peer that refused. */
  readonly rpc: RpcErrorObject | undefined;

  constructor(code: AhpErrorCode, message: string, more: { cause?: unknown; rpc?: RpcErrorObject } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.rpc = more.rpc;
  }
}

/** The one place where a local error becomes a wire error. */
export function toRpcError(error: AhpError): RpcErrorObject {
  return { code: AHP_ERRORS[error.code].rpc, message: error.message, data: { code: error.code } };
}

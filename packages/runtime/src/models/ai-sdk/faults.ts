import {
  APICallError,
  EmptyResponseBodyError,
  InvalidPromptError,
  InvalidResponseDataError,
  JSONParseError,
  LoadAPIKeyError,
  TypeValidationError,
  UnsupportedFunctionalityError,
} from "@ai-sdk/provider";
import { ModelFault, type ModelFaultKind } from "../../ports/model.ts";
import { retryAfterOf } from "./retry-after.ts";

/**
 * Whatever a provider threw or streamed as an error, in our words. Keeps no cause: the SDK's errors carry the whole
 * request. `secrets` are taken out of the message.
 */
export function toFault(error: unknown, secrets: readonly string[]): ModelFault {
  if (error instanceof ModelFault) return error;
  const { kind, message, status, retryAfterMs } = describe(error);
  const unsent = isUnsent(error);
  return new ModelFault(kind, withoutSecrets(message, secrets), { status, retryAfterMs, unsent });
}

/** There was no connection, or no key, so that nothing can have been sent. One that broke later may have cost something. */
const UNSENT: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

function isUnsent(error: unknown): boolean {
  if (LoadAPIKeyError.isInstance(error)) return true;
  for (let at: unknown = error, deep = 0; at instanceof Error && deep < 5; at = at.cause, deep++)
    if ("code" in at && UNSENT.has(at.code)) return true;
  return false;
}

interface Description {
  readonly kind: ModelFaultKind;
  readonly message: string;
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
}

function describe(error: unknown): Description {
  if (APICallError.isInstance(error)) {
    const { statusCode: status, message, responseHeaders = {}, responseBody } = error;
    // Without a status nobody answered; with a good one the answer broke off.
    if (status === undefined || status < 400)
      return { kind: "unavailable", message: message || "The connection broke." };
    const retryAfterMs = retryAfterOf(responseHeaders, responseBody);
    return {
      kind: isTooLong(status, `${message} ${responseBody ?? ""}`) ? "too_long" : ofStatus(status),
      message: message || `The provider answered ${status}.`,
      status,
      retryAfterMs,
    };
  }
  if (InvalidResponseDataError.isInstance(error))
    // No data is wrong where none came: the stream ended before the answer did.
    return { kind: error.data === undefined ? "unavailable" : "invalid", message: error.message };
  if (EmptyResponseBodyError.isInstance(error)) return { kind: "unavailable", message: error.message };
  if (JSONParseError.isInstance(error) || TypeValidationError.isInstance(error))
    return { kind: "invalid", message: "The provider sent something that is no part of an answer." };
  if (LoadAPIKeyError.isInstance(error)) return { kind: "auth", message: "The key is missing." };
  if (UnsupportedFunctionalityError.isInstance(error) || InvalidPromptError.isInstance(error))
    return { kind: "refused", message: error.message };
  return ofStreamed(error);
}

/** Errors inside a stream have no one shape: a status, a type or a code says what they are. */
function ofStreamed(error: unknown): Description {
  if (typeof error === "string") return ofStreamed({ message: error });
  const { statusCode, type, code, message } = (error ?? {}) as Record<string, unknown>;
  const text = typeof message === "string" && message !== "" ? message : "The provider reported an error.";
  if (typeof statusCode === "number" && statusCode >= 400)
    return { kind: ofStatus(statusCode), message: text, status: statusCode };
  if (typeof code === "number" && code >= 400) return { kind: ofStatus(code), message: text, status: code };
  if (isTooLong(400, `${String(code)} ${text}`)) return { kind: "too_long", message: text };
  return { kind: ofWord(`${String(type)} ${String(code)}`), message: text };
}

/** Providers have no status of their own for it, only words. */
const TOO_LONG =
  /context_length_exceeded|maximum context length|exceeds the (context|maximum number of tokens)|prompt is too long|context (window|size) .{0,40}exceed|exceeds? .{0,40}context (window|size|length)/i;

function isTooLong(status: number, said: string): boolean {
  return (status === 400 || status === 413 || status === 422) && TOO_LONG.test(said);
}

function ofStatus(status: number): ModelFaultKind {
  if (status === 401 || status === 403) return "auth";
  if (status === 429) return "rate_limit";
  if (status === 408 || status === 409 || status >= 500) return "unavailable";
  return "refused";
}

function ofWord(word: string): ModelFaultKind {
  if (/rate_?limit|quota|resource_exhausted/i.test(word)) return "rate_limit";
  if (/authenti|permission|api_key/i.test(word)) return "auth";
  if (/invalid_(request|prompt)|not_found|context_length|too_large|policy/i.test(word)) return "refused";
  return "unavailable";
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => (secret === "" ? rest : rest.replaceAll(secret, "[key]")), text);
}

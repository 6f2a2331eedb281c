import type { ErrorCode } from "@fairlead/contract";
import { errorBody, FairleadError } from "@fairlead/contract";

/** What the framework and the parser of HTTP call our codes. */
const FOREIGN: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "payload_too_large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  HPE_HEADER_OVERFLOW: "headers_too_large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "payload_too_large",
};

/** Problems with the request that say enough to name them. Anything else stays nameless. */
const PROBLEMS: Readonly<Record<string, string>> = {
  FST_ERR_BAD_URL: "The URL is not well encoded.",
  FST_ERR_MAX_PARAM_LENGTH: "A part of the URL is too long.",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "The body is not as long as Content-Length says.",
  FST_ERR_CTP_EMPTY_JSON_BODY: "The body is empty, but its type says JSON.",
  FST_ERR_CTP_INVALID_JSON_BODY: "The body is not JSON.",
  ERR_HTTP_REQUEST_TIMEOUT: "The request did not arrive in time.",
};

interface Foreign {
  readonly code?: unknown;
  readonly statusCode?: unknown;
}

/**
 * The one place where errors that are not ours get a code of ours. What cannot be told apart is a
 * bug of the server (`internal`), unless its maker blames the request.
 */
export function asFairleadError(error: unknown): FairleadError {
  if (error instanceof FairleadError) return error;
  const { code, statusCode } = (typeof error === "object" && error !== null ? error : {}) as Foreign;
  if (typeof code === "string") {
    const known = Object.hasOwn(FOREIGN, code) ? FOREIGN[code] : undefined;
    if (known !== undefined) return new FairleadError(known, { cause: error });
    const problem = Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code] : undefined;
    if (problem !== undefined) return badRequest("request", problem, error);
    if (code.startsWith("HPE_")) return badRequest("request", "This is not HTTP.", error);
  }
  if (typeof statusCode === "number" && statusCode >= 400 && statusCode < 500) {
    return new FairleadError("bad_request", { cause: error });
  }
  return new FairleadError("internal", { cause: error });
}

/** `details` of every refusal of input: which field, and what is wrong with it. */
export interface Issue {
  readonly field: string;
  readonly problem: string;
}

export function badRequest(field: string, problem: string, cause?: unknown): FairleadError {
  const issues: readonly Issue[] = [{ field, problem }];
  return new FairleadError("bad_request", {
    message: sentence({ field, problem }),
    details: { issues },
    cause,
  });
}

/** The first issue as a message of its own, with the field as the caller calls it. */
export function sentence({ field, problem }: Issue): string {
  const name = field.replace(/^(params|query|body|header)\./, "");
  return name === "request" ? problem : `\`${name}\`: ${problem}`;
}

/** A whole HTTP answer, for sockets whose request never became one. */
export function rawErrorResponse(error: FairleadError, requestId: string): string {
  const body = JSON.stringify(errorBody(error, requestId));
  return [
    `HTTP/1.1 ${error.status} ${STATUS_TEXT[error.status] ?? "Error"}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    "x-content-type-options: nosniff",
    "cache-control: no-store",
    "connection: close",
    "",
    body,
  ].join("\r\n");
}

const STATUS_TEXT: Readonly<Record<number, string>> = {
  400: "Bad Request",
  413: "Payload Too Large",
  431: "Request Header Fields Too Large",
};

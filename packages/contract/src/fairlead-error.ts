import type { ErrorCode } from "./errors.ts";
import { ERRORS } from "./errors.ts";

export interface ErrorOptions {
  /** Replaces the table's sentence, where the place knows more. Never holds secrets or stack traces. */
  readonly message?: string;
  readonly details?: unknown;
  readonly cause?: unknown;
}

/** The one error that edges turn into an answer. Anything else is a bug and becomes `internal`. */
export class FairleadError extends Error {
  override readonly name = "FairleadError";
  readonly code: ErrorCode;
  readonly details: unknown;

  constructor(code: ErrorCode, options: ErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message, { cause: options.cause });
    this.code = code;
    this.details = options.details;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  get hint(): string {
    return ERRORS[this.code].hint;
  }
}

export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  readonly request_id: string;
  readonly details?: unknown;
}

/** What a client is told. Of an error that is not ours it learns only that it happened. */
export function errorBody(error: unknown, requestId: string): ErrorBody {
  const known = error instanceof FairleadError ? error : new FairleadError("internal");
  const body = {
    code: known.code,
    message: known.message,
    hint: known.hint,
    request_id: requestId,
  };
  return known.details === undefined ? body : { ...body, details: known.details };
}

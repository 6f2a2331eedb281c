import type { ErrorBody, ErrorCode } from "@fairlead/contract";
import { FairleadError } from "@fairlead/contract";

/**
 * What a server answered instead of what was asked for. A newer server may send a code that is not
 * in our table: it is kept as it came, with the server's own sentence, hint and status.
 */
export class ServerError extends FairleadError {
  readonly requestId: string | null;
  /** How long the server asks to be left alone. */
  readonly retryAfterMs: number | null;
  readonly #status: number;
  readonly #hint: string;

  constructor(status: number, body: ErrorBody, retryAfterMs: number | null = null) {
    super(body.code, { message: body.message, details: body.details });
    this.#status = status;
    this.#hint = body.hint;
    this.requestId = body.request_id ?? null;
    this.retryAfterMs = retryAfterMs;
  }

  override get status(): number {
    return this.#status;
  }

  override get hint(): string {
    return this.#hint;
  }
}

/** No answer, or none that Fairlead gives: nothing is known about what was asked for. */
export class ServerUnreachable extends Error {
  override readonly name = "ServerUnreachable";
  readonly code = "server_unreachable";
  readonly hint = "Is the server running, and is this its address? `fairlead doctor` says what is wrong.";
  /** Set when something did answer, such as a proxy. */
  readonly status: number | null;

  constructor(message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.status = options.status ?? null;
  }
}

export type ClientError = ServerError | ServerUnreachable;

/** Reads why a request was refused. Consumes the body. */
export async function errorOf(response: Response): Promise<ClientError> {
  const text = await response.text().catch(() => "");
  const body = parseBody(text);
  const retryAfterMs = secondsOf(response.headers.get("retry-after"));
  if (body !== undefined) return new ServerError(response.status, body, retryAfterMs);
  return new ServerUnreachable(
    `${new URL(response.url || "http://unknown").origin} answered ${response.status}, but not as Fairlead does.`,
    { status: response.status },
  );
}

function parseBody(text: string): ErrorBody | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isErrorBody(value) ? value : undefined;
}

/** Of the four fields only the code is needed to go on; the others may be empty. */
function isErrorBody(value: unknown): value is ErrorBody {
  if (typeof value !== "object" || value === null) return false;
  const { code, message, hint } = value as Partial<Record<keyof ErrorBody, unknown>>;
  return typeof code === "string" && typeof message === "string" && typeof hint === "string";
}

/** The last word of a stream that the server ends: it has no status of its own, so the code gives it. */
export function endError(data: string, statusOf: (code: ErrorCode) => number): ServerError | null {
  const body = parseBody(data);
  return body === undefined ? null : new ServerError(statusOf(body.code), body);
}

function secondsOf(header: string | null): number | null {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : null;
}

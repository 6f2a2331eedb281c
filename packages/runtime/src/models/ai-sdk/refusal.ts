import { APICallError } from "@ai-sdk/provider";
import { type Begun, firstOf } from "./sent.ts";

/** More of what a server says of a fault is not read. */
const MOST_SAID = 64 * 1024;

/** An answer with a status that says no, while it comes. */
export interface Refusal {
  /** False once enough is known. */
  take(bytes: Uint8Array): boolean;
  /** As the SDK would throw it. */
  error(): Error;
}

export function createRefusal(url: URL, begun: Begun): Refusal {
  const decoder = new TextDecoder();
  let responseBody = "";
  return {
    take(bytes) {
      responseBody += decoder.decode(bytes, { stream: true });
      return responseBody.length <= MOST_SAID;
    },
    error: () =>
      new APICallError({
        message: saidIn(responseBody) ?? movedTo(begun) ?? begun.statusMessage,
        url: url.href,
        requestBodyValues: {},
        statusCode: begun.status,
        responseHeaders: Object.fromEntries(
          Object.entries(begun.headers).map(([name, value]) => [name, firstOf(value) ?? ""]),
        ),
        responseBody,
      }),
  };
}

function movedTo({ status, headers: { location } }: Begun): string | undefined {
  return status < 400 && location !== undefined
    ? `The provider is somewhere else now: ${firstOf(location)}.`
    : undefined;
}

/** `{ error: { message } }`, or what others make of it. */
function saidIn(body: string): string | undefined {
  try {
    const { error, message } = JSON.parse(body) as { error?: unknown; message?: unknown };
    const said =
      typeof error === "object" && error !== null && "message" in error ? error.message : (error ?? message);
    return typeof said === "string" ? said : undefined;
  } catch {
    return undefined;
  }
}

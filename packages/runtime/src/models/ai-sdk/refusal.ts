import type { IncomingMessage } from "node:http";
import { APICallError } from "@ai-sdk/provider";
import { unpacked } from "./unpacked.ts";

/** More of what a server says of a fault is not read. */
const MOST_SAID = 64 * 1024;

/** An answer with a status that says no, as the SDK would throw it. */
export async function refusalOf(url: URL, response: IncomingMessage): Promise<Error> {
  let responseBody = "";
  for await (const some of unpacked(response).setEncoding("utf8")) {
    responseBody += String(some);
    if (responseBody.length > MOST_SAID) break;
  }
  return new APICallError({
    message: saidIn(responseBody) ?? movedTo(response) ?? response.statusMessage ?? "",
    url: url.href,
    requestBodyValues: {},
    statusCode: response.statusCode ?? 500,
    responseHeaders: Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
    ),
    responseBody,
  });
}

function movedTo({ statusCode = 500, headers: { location } }: IncomingMessage): string | undefined {
  return statusCode < 400 && location !== undefined
    ? `The provider is somewhere else now: ${location}.`
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

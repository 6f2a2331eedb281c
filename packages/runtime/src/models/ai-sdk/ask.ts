import { type ClientRequest, type IncomingMessage, request as overHttp } from "node:http";
import { request as overHttps } from "node:https";

/** A request over the connections that Node keeps open. Resolves when the answer begins. */
export function ask(
  url: URL,
  { method = "GET", headers, body, signal }: RequestInit,
): Promise<IncomingMessage> {
  if (body !== undefined && body !== null && typeof body !== "string")
    throw new TypeError("A model is asked in text.");
  const text = body ?? "";
  const request = url.protocol === "https:" ? overHttps : overHttp;
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      {
        method,
        headers: {
          ...(headers as Record<string, string>),
          // Nothing here unpacks.
          "accept-encoding": "identity",
          "content-length": Buffer.byteLength(text),
        },
      },
      resolve,
    ).on("error", reject);
    endWith(asked, signal);
    asked.end(text);
  });
}

/** As Node does for an option `signal`, which costs as much as the rest of the request. */
function endWith(asked: ClientRequest, signal: AbortSignal | null | undefined): void {
  if (!signal) return;
  const end = (): void => void asked.destroy(signal.reason as Error);
  if (signal.aborted) return end();
  signal.addEventListener("abort", end, { once: true });
  asked.once("close", () => signal.removeEventListener("abort", end));
}

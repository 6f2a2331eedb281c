import { type ClientRequest, type IncomingMessage, request as overHttp } from "node:http";
import { request as overHttps } from "node:https";

/** Where a server sends a request on as it is. */
const SENT_ON: ReadonlySet<number | undefined> = new Set([307, 308]);
const MOST_SENT_ON = 5;

/**
 * A request over the connections that Node keeps open. Resolves when the answer begins. Goes where the server sends it on to, but
 * not to another server: neither the key nor the conversation is meant for that one.
 */
export async function ask(url: URL, init: RequestInit): Promise<IncomingMessage> {
  let at = url;
  for (let times = 0; ; times++) {
    const response = await askOnce(at, init);
    const to = SENT_ON.has(response.statusCode) ? URL.parse(response.headers.location ?? "", at) : null;
    if (to === null || to.origin !== url.origin || times === MOST_SENT_ON) return response;
    response.resume();
    at = to;
  }
}

function askOnce(url: URL, { method = "GET", headers, body, signal }: RequestInit): Promise<IncomingMessage> {
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
          accept: "*/*",
          // There are gates that let nobody in who does not say what they are.
          "user-agent": "fairlead",
          ...(headers as Record<string, string>),
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

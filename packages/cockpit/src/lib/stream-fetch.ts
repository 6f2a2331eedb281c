import type { Fetch } from "@fairlead/client";

/** A handshake that takes longer is given up: something in between may swallow it. */
const HANDSHAKE_MS = 5_000;

/**
 * `fetch`, but a stream of events comes over a WebSocket. Browsers have six connections for all that is asked of a
 * server by HTTP/1.1, in all tabs together, and a stream would hold one for good; sockets are counted apart. Where none
 * can be opened the stream is asked for as any other answer: that also says why it was refused.
 */
export const streamFetch: Fetch = async (url, init) => {
  const headers = new Headers(init.headers);
  if (headers.get("accept") !== "text/event-stream") return fetch(url, init);
  const body = await overSocket(socketUrl(url, headers.get("last-event-id")), init.signal ?? null);
  if (body === null) return fetch(url, init);
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
};

/** A handshake has no headers of ours: the cursor goes into the address. */
function socketUrl(address: string, cursor: string | null): URL {
  const url = new URL(address);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  if (cursor !== null) url.searchParams.set("after", cursor);
  return url;
}

/** Null where there are no sockets, or a policy or a setting of the browser forbids them. */
function opened(url: URL): WebSocket | null {
  try {
    return new WebSocket(url);
  } catch {
    return null;
  }
}

/** What comes, from the moment that it is open; null when it cannot be opened. */
function overSocket(url: URL, signal: AbortSignal | null): Promise<ReadableStream<Uint8Array> | null> {
  return new Promise((resolve) => {
    // A browser that knows that it is offline may still open sockets on its own machine.
    if (signal?.aborted || !navigator.onLine) return resolve(null);
    const socket = opened(url);
    if (socket === null) return resolve(null);
    socket.binaryType = "arraybuffer";
    const close = (): void => socket.close();
    const late = setTimeout(close, HANDSHAKE_MS);
    signal?.addEventListener("abort", close);
    let ended = false;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        socket.addEventListener("message", ({ data }: MessageEvent<ArrayBuffer>) => {
          if (!ended) controller.enqueue(new Uint8Array(data));
        });
        socket.addEventListener("close", ({ wasClean }) => {
          clearTimeout(late);
          signal?.removeEventListener("abort", close);
          resolve(null);
          if (ended) return;
          ended = true;
          if (signal?.aborted) controller.error(signal.reason);
          else if (wasClean) controller.close();
          else controller.error(new TypeError("The socket was cut."));
        });
      },
      cancel() {
        ended = true;
        close();
      },
    });
    socket.addEventListener("open", () => {
      clearTimeout(late);
      resolve(body);
    });
  });
}

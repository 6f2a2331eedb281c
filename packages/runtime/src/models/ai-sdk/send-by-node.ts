import type { Readable } from "node:stream";
import { ask } from "./ask.ts";
import type { Listener, Sent } from "./sent.ts";
import { unpacked } from "./unpacked.ts";

/** The same as `send`, over `node:http`: it goes by the proxies of the environment as all else does that Node sends. */
export function sendByNode(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  to: Listener,
): Sent {
  const given = new AbortController();
  let answer: Readable | undefined;
  let over = false;

  function once(tell: () => void): void {
    if (over) return;
    over = true;
    tell();
  }

  const failed = (error: unknown): void => once(() => to.failed(error));
  ask(url, { method: "POST", headers, body, signal: given.signal }).then((response) => {
    if (over) return void response.destroy();
    const { statusCode: status = 500, statusMessage = "" } = response;
    answer = unpacked(response);
    to.began({ status, statusMessage, headers: response.headers });
    answer
      .on("error", failed)
      .on("end", () => once(() => to.ended()))
      .on("data", (bytes: Uint8Array) => void (over || to.heard(bytes)));
  }, failed);

  return {
    stop(reason) {
      // At once: a tunnel that is being made is not given up before it is there.
      failed(reason);
      given.abort(reason);
      answer?.destroy();
    },
    pause: () => void answer?.pause(),
    resume: () => void answer?.resume(),
  };
}

import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { ask } from "./ask.ts";
import { type Merge, eventMerger } from "./merge-events.ts";
import { unpacked } from "./unpacked.ts";

/**
 * What the SDK calls instead of `fetch`: a POST over the connections that Node keeps open and, where the answer streams,
 * with neighbours that arrived together made one event. `fetch` would do twice the work, and a turn waits for it with
 * each model call. Takes what the SDK sends: text, plain headers, a signal.
 */
export function mergingFetch(merge: Merge): typeof fetch {
  return async (input, init = {}) => {
    const response = await ask(new URL(input instanceof Request ? input.url : input), init);
    const status = response.statusCode ?? 500;
    const streams = response.headers["content-type"]?.startsWith("text/event-stream") === true;
    const body = bodyOf(unpacked(response), status < 300 && streams ? eventMerger(merge) : undefined);
    return new Response(NO_BODY.has(status) ? null : body, { status, headers: headersOf(response) });
  };
}

const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

function headersOf({ headers }: IncomingMessage): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value] as [string, string]],
  );
}

/** The bytes as they come; no more are read than somebody takes. */
function bodyOf(
  answer: Readable,
  events: ReturnType<typeof eventMerger> | undefined,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const pass = (bytes: Uint8Array | undefined): void => {
        if (bytes === undefined) return;
        controller.enqueue(bytes);
        if ((controller.desiredSize ?? 0) <= 0) answer.pause();
      };
      answer.on("data", (some: Buffer) => pass(events === undefined ? some : events.take(some)));
      answer.on("end", () => {
        pass(events?.end());
        controller.close();
      });
      answer.on("error", (error) => controller.error(error));
    },
    pull: () => void answer.resume(),
    cancel: () => void answer.destroy(),
  });
}

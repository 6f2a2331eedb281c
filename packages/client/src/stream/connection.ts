import { ERRORS, isErrorCode } from "@fairlead/contract";
import { createParser } from "eventsource-parser";
import { endError, ServerUnreachable } from "../errors.ts";
import type { Http, Request } from "../http.ts";
import type { Item, Report } from "./machine.ts";
import { inTime } from "./in-time.ts";

export interface Connection<F> {
  /** What the server says next. Never rejects: whatever ends the connection is a report. */
  next(): Promise<Report<F>>;
  close(): void;
}

/** It was closed as streams are closed, and not cut. */
export class StreamEnded extends ServerUnreachable {}

/** More than any frame can be: large parts of events are kept elsewhere. */
const MOST_CHARS = 64 * 1024 * 1024;

/** Opens a stream of server-sent events. Rejects when it is refused or silent for too long. */
export async function connect<F>(
  http: Http,
  request: Request,
  silenceMs: number,
  itemOf: (id: string | undefined, data: string) => Item<F>,
): Promise<Connection<F>> {
  const gone = new AbortController();
  const signal = request.signal === undefined ? gone.signal : AbortSignal.any([request.signal, gone.signal]);
  const headers = { ...request.headers, accept: "text/event-stream" };
  const opening = http.send({ ...request, headers, signal });
  const response = await inTime(opening, silenceMs, () => gone.abort(silent(http.url)));
  const type = response.headers.get("content-type") ?? "";
  if (!type.startsWith("text/event-stream") || response.body === null) {
    gone.abort();
    throw new ServerUnreachable(`${http.url} answered, but not with a stream of events.`, {
      status: response.status,
    });
  }
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const { feed, reports } = createReports(itemOf);

  async function more(): Promise<void> {
    try {
      const { done, value } = await inTime(reader.read(), silenceMs, () => gone.abort(silent(http.url)));
      if (done) reports.push({ kind: "lost", error: new StreamEnded(`${http.url} ended the stream.`) });
      else feed(decoder.decode(value, { stream: true }));
    } catch (cause) {
      const error =
        cause instanceof ServerUnreachable
          ? cause
          : new ServerUnreachable(`The stream from ${http.url} broke.`, { cause });
      reports.push({ kind: "lost", error });
    }
  }

  return {
    async next() {
      for (;;) {
        const report = reports.shift();
        if (report !== undefined) return report;
        await more();
      }
    },
    close: () => gone.abort(),
  };
}

function silent(url: string): ServerUnreachable {
  return new ServerUnreachable(`${url} fell silent.`);
}

/** Turns text into reports, in the order of the text. */
function createReports<F>(itemOf: (id: string | undefined, data: string) => Item<F>) {
  const reports: Report<F>[] = [];
  let lastId: string | undefined;
  const parser = createParser({
    maxBufferSize: MOST_CHARS,
    onRetry: (ms) => reports.push({ kind: "retry", ms }),
    onComment: () => reports.push({ kind: "alive" }),
    // Called for each id, right before its event when it has one: only an id on its own is a report.
    onId(id) {
      flushId();
      lastId = id;
    },
    onEvent({ id, event, data }) {
      if (id === undefined) flushId();
      else lastId = undefined;
      if (event === "end") reports.push({ kind: "lost", error: endError(data, statusOf) });
      else if (event === undefined || event === "message")
        reports.push({ kind: "frame", item: itemOf(id, data) });
    },
    onError(error) {
      if (error.type === "max-buffer-size-exceeded") throw error;
    },
  });

  function flushId(): void {
    if (lastId !== undefined && /^\d{1,16}$/.test(lastId))
      reports.push({ kind: "cursor", at: Number(lastId) });
    lastId = undefined;
  }

  return {
    reports,
    feed(text: string) {
      parser.feed(text);
      flushId();
    },
  };
}

/** A code that only a newer server knows says nothing about whether to come back, so we do. */
function statusOf(code: string): number {
  return isErrorCode(code) ? ERRORS[code].status : 503;
}

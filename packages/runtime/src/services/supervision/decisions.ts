import type { QuestionId, StreamId } from "@fairlead/contract";
import { is } from "../../domain/event.ts";
import type { StoredQuestion } from "../../domain/question.ts";
import type { EventLog } from "../../ports/event-log.ts";

/** Waits for people. One reader a session, however many wait; decisions of other processes are seen too. */
export interface Decisions {
  /** The question once it is decided or expired; undefined when the signal was first, or the question is gone. */
  until(stream: StreamId, request_id: QuestionId, signal: AbortSignal): Promise<StoredQuestion | undefined>;
  /** The decision's own words, secrets included: what a person put in the place of what was asked. */
  edited(request_id: QuestionId): Promise<unknown>;
}

interface Watch {
  readonly waiting: Map<QuestionId, Set<() => void>>;
  readonly stop: AbortController;
}

export function createDecisions(log: EventLog): Decisions {
  const watches = new Map<StreamId, Watch>();

  function load(request_id: QuestionId): Promise<StoredQuestion | undefined> {
    return log.row<StoredQuestion>("question", request_id);
  }

  async function follow(stream: StreamId, watch: Watch, after: number): Promise<void> {
    try {
      for await (const events of log.subscribe(stream, { after, signal: watch.stop.signal })) {
        for (const event of events) {
          if (is(event, "runtime.question.decided")) wake(watch, event.data.request_id);
        }
      }
    } catch {
      // The session or the log is gone. Those who wait look for themselves.
    }
    if (watches.get(stream) === watch) watches.delete(stream);
    for (const request_id of watch.waiting.keys()) wake(watch, request_id);
  }

  function wake(watch: Watch, request_id: QuestionId): void {
    for (const resolve of watch.waiting.get(request_id) ?? []) resolve();
  }

  function join(stream: StreamId, request_id: QuestionId, after: number, resolve: () => void): () => void {
    let watch = watches.get(stream);
    if (watch === undefined) {
      watch = { waiting: new Map(), stop: new AbortController() };
      watches.set(stream, watch);
      void follow(stream, watch, after);
    }
    const { waiting, stop } = watch;
    const some = waiting.get(request_id) ?? new Set();
    waiting.set(request_id, some.add(resolve));
    return () => {
      some.delete(resolve);
      if (some.size === 0) waiting.delete(request_id);
      if (waiting.size > 0) return;
      if (watches.get(stream)?.stop === stop) watches.delete(stream);
      stop.abort();
    };
  }

  return {
    async until(stream, request_id, signal) {
      const before = await load(request_id);
      if (before === undefined || before.state !== "pending") return before;
      const { promise, resolve } = Promise.withResolvers<void>();
      const leave = join(stream, request_id, before.asked_seq, resolve);
      signal.addEventListener("abort", () => resolve(), { once: true });
      try {
        // Looked up after joining: what was decided in between woke nobody.
        const now = await load(request_id);
        if (now?.state === "pending" && !signal.aborted) await promise;
      } finally {
        leave();
      }
      const after = await load(request_id);
      return after?.state === "pending" ? undefined : after;
    },
    async edited(request_id) {
      const ref = await log.findKey(`question:${request_id}:decided`);
      if (ref === undefined) return undefined;
      const whole = (await log.unseal(ref.stream, ref.seq)) as { edited?: unknown } | undefined;
      if (whole !== undefined) return whole.edited;
      const { events } = await log.read(ref.stream, { after: ref.seq - 1, limit: 1 });
      const [event] = events;
      return event !== undefined && is(event, "runtime.question.decided") ? event.data.edited : undefined;
    },
  };
}

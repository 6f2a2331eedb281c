import type { FaceName, Tier } from "@fairlead/contract";
import { ROUTES } from "@fairlead/contract";
import type { Call } from "../call.ts";
import { fillPath, type Http, type Request } from "../http.ts";
import { type Connection, connect, StreamEnded } from "./connection.ts";
import { type FaceFrames, itemOfEvent, itemOfPage } from "./frames.ts";
import type { Pause } from "./pause.ts";
import { advance, begin, type Order, type Report, UNTOLD } from "./machine.ts";

export interface EventStreamOptions<N extends FaceName = "frontend"> {
  /** One session by id or alias; without it every session the caller may see. */
  readonly session?: string;
  /**
   * Go on after this cursor: of this session, or without one of the order of commits. `latest` begins
   * at the end and goes on from there after a cut.
   */
  readonly after?: number | "latest";
  /** `latest` ends the iteration where the log ended when it was asked for. Only without a session, which has pages. */
  readonly until?: "latest";
  readonly face?: N;
  readonly tier?: Tier;
  /** Only these, by their names on the face or in the log. Only without a session. */
  readonly types?: readonly string[];
  /** `full` also gives what a branch has from its parent. Only with a session. */
  readonly history?: "own" | "full";
  /** Ends the iteration, without an error. */
  readonly signal?: AbortSignal;
  /** Told of each change. Must not throw. */
  readonly onState?: (state: ConnectionState) => void;
  /** Told how far it has come, also past what is not for this reader. Must not throw. */
  readonly onCursor?: (cursor: number) => void;
  /** A connection that says nothing for so long is given up. The server speaks every 15 s. */
  readonly silenceMs?: number;
}

export type ConnectionState =
  | { readonly state: "connecting" }
  | { readonly state: "live" }
  | { readonly state: "waiting"; readonly ms: number; readonly error: unknown };

export interface StreamItem<F> {
  /** Where to go on from after this frame; null for what is told to this reader only. */
  readonly cursor: number | null;
  readonly frame: F;
}

export type EventStream = <N extends FaceName = "frontend">(
  options: EventStreamOptions<N>,
) => AsyncGenerator<StreamItem<FaceFrames[N]>, void, void>;

export interface StreamDeps {
  readonly http: Http;
  readonly call: Call;
  /** In [0, 1). */
  readonly random: () => number;
  readonly pause: Pause;
}

const SILENCE_MS = 45_000;
/** A little more than is missing, because where one number has no frame there are often more. */
const LEAST_REPAIRED = 100;
const MOST_REPAIRED = 1_000;

/**
 * Follows the log for as long as it is iterated: replay, then live, across reconnects, without gap
 * or duplicate. Throws what no reconnect can mend: no credential, no such session, no such cursor.
 */
export function createEventStream({ http, call, random, pause }: StreamDeps): EventStream {
  return async function* eventStream<N extends FaceName = "frontend">(options: EventStreamOptions<N>) {
    const {
      session,
      after,
      until,
      tier,
      types,
      history,
      onState,
      onCursor,
      silenceMs = SILENCE_MS,
    } = options;
    const face: FaceName = options.face ?? "frontend";
    const gone = new AbortController();
    const signal =
      options.signal === undefined ? gone.signal : AbortSignal.any([options.signal, gone.signal]);
    const start = after === "latest" ? UNTOLD : (after ?? 0);
    let connection: Connection<FaceFrames[N]> | undefined;

    function requestAfter(cursor: number): Request {
      const { method, path } = session === undefined ? ROUTES.streamAllEvents : ROUTES.streamEvents;
      return {
        method,
        path: fillPath(path, { id: session }),
        query: { after, until, face, tier, types, history },
        // The header wins over the query, as with any EventSource.
        ...(cursor === start ? {} : { headers: { "last-event-id": String(cursor) } }),
        signal,
      };
    }

    async function perform(order: Exclude<Order, { do: "fail" }>): Promise<Report<FaceFrames[N]>> {
      switch (order.do) {
        case "connect":
          onState?.({ state: "connecting" });
          connection = await connect(http, requestAfter(order.after), silenceMs, itemOfEvent<N>);
          onState?.({ state: "live" });
          return { kind: "opened" };
        case "read":
          return await connection!.next();
        case "fetch": {
          const limit = Math.min(MOST_REPAIRED, Math.max(LEAST_REPAIRED, order.missing));
          const query = { after: order.after, limit, face, history };
          const page = await call("listEvents", { params: { id: session! }, query, signal });
          return {
            kind: "page",
            items: page.events.map(itemOfPage<N>),
            next: page.next,
            head: page.head_seq,
          };
        }
        case "wait": {
          connection?.close();
          const ms = Math.round(order.atLeast + random() * (order.atMost - order.atLeast));
          onState?.({ state: "waiting", ms, error: order.error });
          await pause(ms, signal);
          return { kind: "waited" };
        }
      }
    }

    try {
      // Only an unfiltered session has numbers that follow each other.
      const contiguous = session !== undefined && tier === undefined;
      let told = start;
      for (let step = begin<FaceFrames[N]>(start, contiguous); ;) {
        for (const { at, frame } of step.deliver) yield { cursor: at, frame };
        if (step.state.cursor !== told) onCursor?.((told = step.state.cursor));
        if (signal.aborted) return;
        if (step.order.do === "fail") throw step.order.error;
        const lost = (error: unknown) => ({ kind: "lost", error }) as const;
        const report: Report<FaceFrames[N]> = await perform(step.order).catch(lost);
        if (signal.aborted || (until !== undefined && isEnd(report))) return;
        step = advance(step.state, report);
      }
    } finally {
      gone.abort();
    }
  };
}

/** The server has said all, and not that it stops: for a stream with an end, that is it. */
function isEnd(report: Report<unknown>): boolean {
  return report.kind === "lost" && report.error instanceof StreamEnded;
}

import { type AnyEvent, EVENTS, EVENT_TYPES, type EventId, type StreamId } from "@fairlead/contract";
import type { Page, ReadOptions } from "../ports/event-log.ts";
import type { LogStore, Segment, StreamRow } from "../ports/log-store.ts";
import { decodeBody } from "./encode.ts";
import { lineage, segments } from "./history.ts";
import { openRow } from "./origin.ts";

const DEFAULT_PAGE = 200;
const MAX_PAGE = 1_000;

const DEFAULT_TIER = EVENT_TYPES.filter((type) => EVENTS[type].tier === "default");

/** Which types a filter lets through; undefined: all. The debug tier shows everything. */
function filterOf({ tier, types }: ReadOptions): readonly string[] | undefined {
  if (tier !== "default") return types;
  return types === undefined ? DEFAULT_TIER : DEFAULT_TIER.filter((type) => types.includes(type));
}

/** Told to a reader whose cursor lies before what was trimmed. Its seq is the last that is gone. */
function gapEvent(stream: StreamId, from: number, to: number, at: string): AnyEvent {
  return {
    id: `evt_gap${from}x${to}` as EventId,
    seq: to,
    stream,
    at,
    type: "runtime.log.gap",
    v: 1,
    turn_id: null,
    agent_id: null,
    cause: null,
    owner: "runtime",
    data: { from_seq: from, to_seq: to, reason: "trimmed" },
  };
}

export interface Reader {
  read(stream: StreamId, options: ReadOptions): Promise<Page>;
}

export interface ReaderDeps {
  readonly store: LogStore;
  readonly loadStream: (id: StreamId) => Promise<StreamRow | undefined>;
  readonly now: () => string;
}

export function createReader({ store, loadStream, now }: ReaderDeps): Reader {
  async function historyOf(row: StreamRow, history: ReadOptions["history"]): Promise<readonly Segment[]> {
    if (history !== "full" || row.parent === null)
      return [{ stream: row.id, after: row.base_seq, upTo: row.head_seq }];
    return segments(await lineage(store, row));
  }

  async function collect(
    parts: readonly Segment[],
    descending: boolean,
    limit: number,
    types: readonly string[] | undefined,
  ): Promise<AnyEvent[]> {
    const events: AnyEvent[] = [];
    for (const part of descending ? parts.toReversed() : parts) {
      if (events.length >= limit) break;
      if (part.after >= part.upTo) continue;
      const found = await store.scan(part.stream, {
        after: part.after,
        upTo: part.upTo,
        descending,
        limit: limit - events.length,
        types,
      });
      for (const { seq, body } of found) events.push(decodeBody(part.stream, seq, body));
    }
    return events;
  }

  return {
    async read(stream, options) {
      const row = openRow(stream, await loadStream(stream));
      const limit = Math.min(Math.max(1, options.limit ?? DEFAULT_PAGE), MAX_PAGE);
      const whole = await historyOf(row, options.history);
      const bottom = whole[0]?.after ?? 0;
      const floor = Math.max(row.floor_seq, bottom);
      const descending = options.before !== undefined;
      const low = descending ? floor : Math.max(options.after ?? 0, floor);
      const high = descending ? (options.before as number) - 1 : row.head_seq;
      const parts = whole.map((part) => ({
        ...part,
        after: Math.max(part.after, low),
        upTo: Math.min(part.upTo, high),
      }));
      const events = await collect(parts, descending, limit, filterOf(options));
      const full = events.length === limit;
      const last = events.at(-1);
      const next = full && last !== undefined ? last.seq : null;
      // Forward, the gap comes before what is left; backward, after it, when the floor is reached.
      const behind = descending
        ? next === null && (options.before as number) > bottom + 1
        : (options.after ?? 0) < floor;
      if (behind && floor > bottom) {
        const from = descending ? bottom : Math.max(options.after ?? 0, bottom);
        const to = descending ? Math.min(floor, (options.before as number) - 1) : floor;
        events.splice(descending ? events.length : 0, 0, gapEvent(stream, from + 1, to, now()));
      }
      return { events, next, head_seq: row.head_seq };
    },
  };
}

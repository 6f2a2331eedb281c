import type { AnyEvent, StreamId } from "@fairlead/contract";
import type { Positioned } from "../ports/event-log.ts";
import type { Placed } from "./committer.ts";
import { type Entry, type Tail, createTail } from "./tail.ts";

interface Feed<Item> {
  readonly tail: Tail<Item>;
  followers: number;
  /** A read for the tail is under way; `again`: something was committed since it began. */
  filling: boolean;
  again: boolean;
}

export interface FeedSources {
  readonly readStream: (stream: StreamId, after: number) => Promise<readonly Entry<AnyEvent>[]>;
  readonly readAll: (after: number) => Promise<readonly Entry<Positioned>[]>;
}

/** The live ends that somebody follows: one a stream, and one for all. Nothing is kept for streams without followers. */
export interface Feeds {
  joinStream(stream: StreamId): { readonly tail: Tail<AnyEvent>; leave(): void };
  joinAll(): { readonly tail: Tail<Positioned>; leave(): void };
  /** What this process committed, in order. */
  published(placed: readonly Placed[]): void;
  /** Others committed to these streams (null: perhaps any): read once for all followers. */
  othersCommitted(streams: readonly StreamId[] | null): void;
}

export function createFeeds(sources: FeedSources): Feeds {
  const streams = new Map<StreamId, Feed<AnyEvent>>();
  let all: Feed<Positioned> = newFeed();

  async function fill<Item>(
    feed: Feed<Item>,
    read: (after: number) => Promise<readonly Entry<Item>[]>,
  ): Promise<void> {
    feed.again = true;
    if (feed.filling) return;
    feed.filling = true;
    try {
      while (feed.again) {
        feed.again = false;
        await fillOnce(feed.tail, read);
      }
    } catch {
      // The store is away, or the stream was purged: followers ask it themselves and hear why.
      feed.tail.forget();
    } finally {
      feed.filling = false;
    }
  }

  async function fillOnce<Item>(
    tail: Tail<Item>,
    read: (after: number) => Promise<readonly Entry<Item>[]>,
  ): Promise<void> {
    for (;;) {
      const from = tail.last;
      if (from === undefined) return tail.forget();
      const found = await read(from);
      if (found.length === 0) return;
      // Pushes of this process may have overtaken the read; then what it found is known already.
      if (tail.last === from) tail.push(found, from);
    }
  }

  return {
    joinStream(stream) {
      const feed = streams.get(stream) ?? newFeed<AnyEvent>();
      streams.set(stream, feed);
      feed.followers += 1;
      return {
        tail: feed.tail,
        leave() {
          feed.followers -= 1;
          if (feed.followers === 0 && streams.get(stream) === feed) streams.delete(stream);
        },
      };
    },
    joinAll() {
      const feed = all;
      feed.followers += 1;
      return {
        tail: feed.tail,
        leave() {
          feed.followers -= 1;
          // A tail that nobody follows is not fed: the next follower must not believe what it knows.
          if (feed.followers === 0 && all === feed) all = newFeed();
        },
      };
    },
    published(placed) {
      if (streams.size === 0 && all.followers === 0) return;
      const decoded = placed.map((one) => {
        const wanted = all.followers > 0 || streams.has(one.stream);
        return wanted ? { one, event: one.event() } : undefined;
      });
      const known = decoded.filter((entry) => entry !== undefined);
      if (all.followers > 0) pushAll(all.tail, known);
      for (const [stream, own] of Map.groupBy(known, ({ one }) => one.stream)) {
        const feed = streams.get(stream);
        const first = own[0];
        if (feed === undefined || first === undefined) continue;
        feed.tail.push(
          own.map(({ one, event }) => ({ at: one.seq, item: event, bytes: one.body.length })),
          first.one.seq - 1,
        );
      }
    },
    othersCommitted(touched) {
      for (const stream of touched ?? streams.keys()) {
        const feed = streams.get(stream);
        if (feed !== undefined) void fill(feed, (after) => sources.readStream(stream, after));
      }
      if (all.followers > 0) void fill(all, sources.readAll);
    },
  };
}

function newFeed<Item>(): Feed<Item> {
  return { tail: createTail(), followers: 0, filling: false, again: false };
}

function pushAll(
  tail: Tail<Positioned>,
  known: readonly { readonly one: Placed; readonly event: AnyEvent }[],
): void {
  const entries = known.map(({ one, event }) => ({
    at: one.pos,
    item: { pos: one.pos, event },
    bytes: one.body.length,
  }));
  const first = entries[0];
  const consecutive = entries.every((entry, i) => first !== undefined && entry.at === first.at + i);
  if (first !== undefined && consecutive) tail.push(entries, first.at - 1);
  else tail.forget();
}

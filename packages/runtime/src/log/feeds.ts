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
      if (all.followers > 0) pushAll(all.tail, placed);
      const followed = new Map<Feed<AnyEvent>, Entry<AnyEvent>[]>();
      for (const one of placed) {
        const feed = streams.get(one.stream);
        if (feed === undefined) continue;
        const entry = { at: one.seq, item: one.event(), bytes: one.body.length };
        const entries = followed.get(feed);
        if (entries === undefined) followed.set(feed, [entry]);
        else entries.push(entry);
      }
      for (const [{ tail }, entries] of followed) tail.push(entries, (entries[0]?.at ?? 0) - 1);
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

function pushAll(tail: Tail<Positioned>, placed: readonly Placed[]): void {
  const entries = placed.map((one) => ({
    at: one.pos,
    item: { pos: one.pos, event: one.event() },
    bytes: one.body.length,
  }));
  const first = entries[0];
  const consecutive = entries.every((entry, i) => first !== undefined && entry.at === first.at + i);
  if (first !== undefined && consecutive) tail.push(entries, first.at - 1);
  else tail.forget();
}

import type { FrontendFrame } from "@fairlead/contract";
import {
  EMPTY_SUMMARY,
  evolveSummary,
  type Summary,
  SUMMARY_EVENTS,
  withKnown,
} from "@fairlead/contract/view";
import { call } from "../lib/api.ts";
import { createStore, type Store } from "../lib/store.ts";
import { patiently } from "../lib/patiently.ts";
import { type Connection, follow } from "./follow.ts";
import { appended, EMPTY_WINDOW, type Window, windowOf, withNewer, withOlder } from "./window.ts";

export interface Feed {
  readonly window: Window;
  readonly summary: Summary;
  readonly connection: Connection;
  readonly ready: boolean;
  readonly loading: "older" | "newer" | null;
  /** What ended it for good. */
  readonly error: unknown;
}

export interface SessionFeed extends Store<Feed> {
  older(): Promise<void>;
  newer(): Promise<void>;
  /** Back to the end, where what comes is shown. */
  toLive(): Promise<void>;
  /** To the place of an event, wherever that is. */
  toSeq(seq: number): Promise<void>;
  frameAt(seq: number): FrontendFrame | undefined;
  close(): void;
}

const PAGE = 400;
const SUMMARY_PAGE = 1_000;
const END = Number.MAX_SAFE_INTEGER;
const history = "full" as const;

interface Page {
  /** In the order of the session. */
  readonly frames: readonly FrontendFrame[];
  readonly next: number | null;
  readonly head: number;
}

/** One session, live: a window of its timeline, and its summary. Holds one connection until it is closed. */
export function createSessionFeed(id: string): SessionFeed {
  const store = createStore<Feed>({
    window: EMPTY_WINDOW,
    summary: EMPTY_SUMMARY,
    connection: "connecting",
    ready: false,
    loading: null,
    error: null,
  });
  const gone = new AbortController();
  let unfollow = (): void => {};
  /** What the stream has brought us to. */
  let heard = 0;
  /** What came while the summary is fetched: null once it is whole. */
  let arrived: FrontendFrame[] | null = [];

  const change = (part: Partial<Feed>): void => {
    if (!gone.signal.aborted) store.set({ ...store.get(), ...part });
  };
  const fail = (error: unknown): void => change({ error, loading: null });

  async function page(query: {
    before?: number;
    after?: number;
    limit: number;
    types?: string[];
  }): Promise<Page> {
    const reply = await call("listEvents", {
      params: { id },
      query: { ...query, history } as object,
      signal: gone.signal,
    });
    const frames = reply.events as unknown as FrontendFrame[];
    const ordered = query.before === undefined ? frames : frames.toReversed();
    return { frames: ordered, next: reply.next, head: reply.head_seq };
  }

  /** Asked until it is answered; the page says meanwhile that it waits. */
  const insist = <T>(work: () => Promise<T>): Promise<T> =>
    patiently(work, gone.signal, () => store.get().ready || change({ connection: "waiting" }));

  async function open(): Promise<void> {
    const { frames, next, head } = await insist(() => page({ before: END, limit: PAGE }));
    heard = head;
    change({ window: windowOf(frames, lowOf(next), head, true), ready: true });
    change({ summary: frames.reduce(evolveSummary, EMPTY_SUMMARY) });
    unfollow = follow({
      session: id,
      history,
      after: head,
      onFrames,
      onConnection: (connection) => change({ connection }),
      onEnd: fail,
    });
    if (next !== null) await deepen();
    arrived = null;
  }

  /** What the summary needs from before the window, and the server's word on the rest; what came since is folded over it. */
  async function deepen(): Promise<void> {
    const detail = await insist(() =>
      call("getSession", { params: { id }, query: { limit: 1 }, signal: gone.signal }),
    );
    const { head_seq } = detail;
    const types = [...SUMMARY_EVENTS];
    const { frames, next } = await insist(() => page({ before: head_seq + 1, limit: SUMMARY_PAGE, types }));
    const folded = frames.reduce(evolveSummary, EMPTY_SUMMARY);
    const begin = next === null ? folded : withKnown(folded, detail);
    const later = (arrived ?? []).filter(({ seq }) => seq > head_seq);
    change({ summary: later.reduce(evolveSummary, begin) });
  }

  function onFrames(frames: readonly FrontendFrame[]): void {
    heard = Math.max(heard, frames.at(-1)?.seq ?? 0);
    arrived?.push(...frames);
    const { window, summary } = store.get();
    change({
      summary: frames.reduce(evolveSummary, summary),
      window: window.live ? appended(window, frames) : window,
    });
  }

  /** One at a time: two pages at once could leave a hole between them. */
  async function load(which: "older" | "newer", work: () => Promise<void>): Promise<void> {
    if (store.get().loading !== null || !store.get().ready) return;
    change({ loading: which });
    await work().catch((error: unknown) => {
      // The stream says when the server is away; the page is asked for again when it is scrolled to.
      if (!gone.signal.aborted) console.warn("A page of events could not be read.", error);
    });
    change({ loading: null });
  }

  const feed: SessionFeed = {
    ...store,
    older: () =>
      load("older", async () => {
        const { low } = store.get().window;
        if (low === 0) return;
        const { frames, next } = await page({ before: low + 1, limit: PAGE });
        change({ window: withOlder(store.get().window, frames, lowOf(next)) });
      }),
    newer: () =>
      load("newer", async () => {
        const { high, live } = store.get().window;
        if (live) return;
        const { frames, next, head } = await page({ after: high, limit: PAGE });
        const reached = next ?? head;
        change({
          window: withNewer(store.get().window, frames, reached, next === null && reached >= heard),
        });
      }),
    async toLive() {
      const { frames, next, head } = await page({ before: END, limit: PAGE });
      const live = head >= heard;
      change({ window: windowOf(frames, lowOf(next), head, live) });
      if (!live) await feed.newer();
    },
    async toSeq(seq) {
      const { frames, next, head } = await page({ after: Math.max(0, seq - PAGE / 2), limit: PAGE });
      const reached = next ?? head;
      const low = frames.length === 0 ? 0 : frames[0]!.seq - 1;
      change({ window: windowOf(frames, low, reached, next === null && reached >= heard) });
    },
    frameAt: (seq) => store.get().window.frames.find((frame) => frame.seq === seq),
    close() {
      gone.abort();
      unfollow();
    },
  };
  open().catch(fail);
  return feed;
}

/** A page that reads back says where the next one begins, which it leaves out; nothing means that there is no more. */
function lowOf(next: number | null): number {
  return next === null ? 0 : next - 1;
}

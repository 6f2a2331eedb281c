import type { FrontendFrame } from "@fairlead/contract";
import { EMPTY_SUMMARY, evolveSummary, type Summary, withKnown } from "@fairlead/contract/view";
import { call } from "../lib/api.ts";
import { createStore, type Store } from "../lib/store.ts";
import { patiently } from "../lib/patiently.ts";
import { type Connection, follow } from "./follow.ts";
import { heardInbox } from "./inbox.ts";
import { takeStream } from "./page-stream.ts";
import { summaryFrames } from "./summary-pages.ts";
import { begun, EMPTY_WINDOW, followed, joined, jumped, type Page, type Window } from "./window.ts";

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

/** Where to read from, and which way. */
type From = { readonly before: number } | { readonly after: number };

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
  const release = takeStream();
  let unfollow = (): void => {};
  /** Of the places that were asked for, only the last is gone to. */
  let jumps = 0;
  /** What came while the summary is fetched: null once it is whole. */
  let arrived: FrontendFrame[] | null = [];

  const change = (part: Partial<Feed>): void => {
    if (!gone.signal.aborted) store.set({ ...store.get(), ...part });
  };
  const fail = (error: unknown): void => change({ error, loading: null });

  async function read(from: From, limit: number, types?: string[]) {
    const reply = await call("listEvents", {
      params: { id },
      query: { ...from, limit, history, ...(types === undefined ? {} : { types }) } as object,
      signal: gone.signal,
    });
    const frames = reply.events as unknown as FrontendFrame[];
    return { ...reply, frames: "before" in from ? frames.toReversed() : frames };
  }

  /** A page, and all that it covers: also events that have no frame. */
  async function page(from: From): Promise<Page> {
    const { frames, next, head_seq } = await read(from, PAGE);
    if ("after" in from) return { frames, low: from.after, high: Math.max(from.after, next ?? head_seq) };
    // Which reads back, it says where the next one begins, which it leaves out; nothing means that there is no more.
    return { frames, low: next === null ? 0 : next - 1, high: Math.min(from.before - 1, head_seq) };
  }

  /** Asked until it is answered; the page says meanwhile that it waits. */
  const insist = <T>(work: () => Promise<T>): Promise<T> =>
    patiently(work, gone.signal, () => store.get().ready || change({ connection: "waiting" }));

  async function open(): Promise<void> {
    const window = begun(await insist(() => page({ before: END })));
    change({ window, summary: window.frames.reduce(evolveSummary, EMPTY_SUMMARY), ready: true });
    unfollow = follow({
      session: id,
      history,
      after: window.heard,
      onFrames,
      onConnection: (connection) => change({ connection }),
      onEnd: fail,
    });
    if (window.low > 0) await deepen();
    arrived = null;
  }

  /** What the summary needs from before the window, and the server's word on the rest; what came since is folded over it. */
  async function deepen(): Promise<void> {
    const detail = await insist(() =>
      call("getSession", { params: { id }, query: { limit: 1 }, signal: gone.signal }),
    );
    const { head_seq } = detail;
    const { frames, whole } = await summaryFrames(head_seq, (before, types) =>
      insist(() => read({ before }, SUMMARY_PAGE, [...types])),
    );
    const folded = await foldedInSteps(frames);
    const begin = whole ? folded : withKnown(folded, detail);
    const later = (arrived ?? []).filter(({ seq }) => seq > head_seq);
    change({ summary: later.reduce(evolveSummary, begin) });
  }

  function onFrames(frames: readonly FrontendFrame[]): void {
    heardInbox(frames);
    arrived?.push(...frames);
    const { window, summary } = store.get();
    change({
      summary: frames.reduce(evolveSummary, summary),
      window: followed(window, frames),
    });
  }

  /** One at a time: a page is not asked for twice. */
  async function load(which: "older" | "newer", work: () => Promise<void>): Promise<void> {
    if (store.get().loading !== null || !store.get().ready) return;
    change({ loading: which });
    await work().catch((error: unknown) => {
      // The stream says when the server is away; the page is asked for again when it is scrolled to.
      if (!gone.signal.aborted) console.warn("A page of events could not be read.", error);
    });
    change({ loading: null });
  }

  async function jump(from: From): Promise<void> {
    const own = ++jumps;
    const found = await page(from);
    if (own === jumps) change({ window: jumped(store.get().window, found) });
  }

  const feed: SessionFeed = {
    ...store,
    older: () =>
      load("older", async () => {
        const { low } = store.get().window;
        if (low === 0) return;
        const found = await page({ before: low + 1 });
        change({ window: joined(store.get().window, found) });
      }),
    newer: () =>
      load("newer", async () => {
        const { high, live } = store.get().window;
        if (live) return;
        const found = await page({ after: high });
        change({ window: joined(store.get().window, found) });
      }),
    async toLive() {
      await jump({ before: END });
      if (!store.get().window.live) await feed.newer();
    },
    toSeq: (seq) => jump({ after: Math.max(0, seq - PAGE / 2) }),
    frameAt: (seq) => store.get().window.frames.find((frame) => frame.seq === seq),
    close() {
      gone.abort();
      unfollow();
      release();
    },
  };
  open().catch(fail);
  return feed;
}

/** A long session is folded a part at a time: the page goes on meanwhile. */
async function foldedInSteps(frames: readonly FrontendFrame[]): Promise<Summary> {
  let summary = EMPTY_SUMMARY;
  for (let at = 0; at < frames.length; at += SUMMARY_PAGE) {
    if (at > 0) await new Promise((resolve) => setTimeout(resolve));
    summary = frames.slice(at, at + SUMMARY_PAGE).reduce(evolveSummary, summary);
  }
  return summary;
}

import type { FrontendFrame } from "@fairlead/contract";
import type { EventStreamOptions } from "@fairlead/client";
import { client } from "../lib/api.ts";

/** `paused`: the tab is hidden, and holds no connection. */
export type Connection = "connecting" | "live" | "waiting" | "paused";

export interface FollowOptions extends Pick<EventStreamOptions, "session" | "tier" | "types" | "history"> {
  readonly after: number | "latest";
  /** What came since the last time, in order. At most once a drawn frame. */
  readonly onFrames: (frames: readonly FrontendFrame[]) => void;
  readonly onConnection: (state: Connection) => void;
  /** Asking again cannot mend it. */
  readonly onEnd: (error: unknown) => void;
}

/** A hidden tab lets go of its connection after so long: browsers have only six for a server. */
const HIDDEN_MS = 20_000;
const BATCH_HIDDEN_MS = 250;
const NETWORK = ["online", "offline"] as const;

/**
 * The one event stream of the page. Cursor, back-off and gap repair are the client's; here the stream is let go of
 * while nobody looks, begun again at once when the network goes or comes or the person comes back, and handed on in batches.
 */
export function follow(options: FollowOptions): () => void {
  let cursor: number | "latest" = options.after;
  let stopped = false;
  let attempt: AbortController | null = null;
  let hiding: ReturnType<typeof setTimeout> | undefined;
  const { add, drop } = batches(options.onFrames);

  async function run(): Promise<void> {
    attempt?.abort();
    const own = new AbortController();
    attempt = own;
    try {
      const { session, tier, types, history } = options;
      const stream = client.eventStream({
        ...(session === undefined ? {} : { session }),
        ...(tier === undefined ? {} : { tier }),
        ...(types === undefined ? {} : { types }),
        ...(history === undefined ? {} : { history }),
        after: cursor,
        signal: own.signal,
        onState: ({ state }) => attempt === own && options.onConnection(state),
        onCursor: (at) => {
          if (attempt === own && at >= 0) cursor = at;
        },
      });
      for await (const { frame } of stream) {
        if (attempt !== own) return;
        add(frame);
      }
    } catch (error) {
      if (attempt === own && !stopped) options.onEnd(error);
    }
  }

  function pause(): void {
    attempt?.abort();
    attempt = null;
    options.onConnection("paused");
  }

  function onVisible(): void {
    clearTimeout(hiding);
    if (document.hidden) hiding = setTimeout(pause, HIDDEN_MS);
    else if (attempt === null) void run();
  }

  // Also when the network goes: what is open falls silent without a word. A server on this machine answers still.
  const onNetwork = (): void => void (attempt !== null && run());

  document.addEventListener("visibilitychange", onVisible);
  for (const change of NETWORK) addEventListener(change, onNetwork);
  // A tab that opens out of sight begins when somebody looks at it.
  if (document.hidden) pause();
  else void run();
  return () => {
    stopped = true;
    clearTimeout(hiding);
    document.removeEventListener("visibilitychange", onVisible);
    for (const change of NETWORK) removeEventListener(change, onNetwork);
    attempt?.abort();
    drop();
  };
}

/** Collects until the next frame is drawn, so that a burst of tokens is one change. */
function batches(deliver: (frames: readonly FrontendFrame[]) => void) {
  let waiting: FrontendFrame[] = [];
  let dropped = false;
  let due = false;
  function flush(): void {
    due = false;
    const frames = waiting;
    waiting = [];
    if (!dropped && frames.length > 0) deliver(frames);
  }
  return {
    add(frame: FrontendFrame): void {
      waiting.push(frame);
      if (due) return;
      due = true;
      if (document.hidden) setTimeout(flush, BATCH_HIDDEN_MS);
      else requestAnimationFrame(flush);
    },
    drop: () => void (dropped = true),
  };
}

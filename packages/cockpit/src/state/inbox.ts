import type { Inbox } from "@fairlead/contract/inbox";
import type { FrontendFrame } from "@fairlead/contract";
import { call, isCode } from "../lib/api.ts";
import { createStore } from "../lib/store.ts";
import { waiting } from "../lib/title.ts";
import { type Connection, follow } from "./follow.ts";
import { signedOut } from "./identity.ts";
import { mayDecide, me } from "./me.ts";
import { notifyOf } from "./notify.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { sessionsFollowed } from "./page-stream.ts";

export interface InboxState {
  readonly inbox: Inbox | null;
  readonly connection: Connection;
}

export const inbox = createStore<InboxState>({ inbox: null, connection: "connecting" });

/** What moves something in the inbox. */
const TYPES = [
  "session_state",
  "session_pausing",
  "session_resuming",
  "turn_end",
  "approval_required",
  "approval_applied",
  "session_seen",
];
/** Several events of one commit are one look. */
const SETTLE_MS = 150;
/** A hidden tab holds no stream: it looks now and then, so that its title stays true. */
const HIDDEN_MS = 20_000;
/** So does a page whose one stream is a session's. */
const BESIDE_MS = 5_000;
/** A stream that was refused is begun anew, at the end, after so long. */
const AGAIN_MS = 2_000;
/** An answer that is not there by then is asked for again. */
const LOOK_MS = 15_000;

let due: ReturnType<typeof setTimeout> | undefined;

/** Asks again, soon. */
export function refreshInbox(): void {
  due ??= setTimeout(() => {
    due = undefined;
    void look();
  }, SETTLE_MS);
}

/** Asks again if these say something about it. */
export function heardInbox(frames: readonly FrontendFrame[]): void {
  if (frames.some(({ type }) => TYPES.includes(type))) refreshInbox();
}

const look = oneAtATime(async () => {
  try {
    const next = await call("getInbox", { signal: AbortSignal.timeout(LOOK_MS) });
    const before = inbox.get().inbox;
    inbox.set({ ...inbox.get(), inbox: next });
    const who = me.get();
    // Nothing waits for who may only look.
    const mine = who === null || mayDecide(who);
    const count = mine ? next.counts.needs_input + next.counts.needs_review : 0;
    waiting.set(count);
    if (mine) notifyOf(before, next);
    // Where the page is installed, its icon says it too. Elsewhere this is refused, which is fine.
    navigator.setAppBadge?.(count).catch(() => {});
  } catch (error) {
    if (isCode(error, "unauthorized")) signedOut();
    // Otherwise the stream says when the server is back.
  }
});

/** For as long as it is wanted: what ends its stream for good ends only that cursor. */
function followInbox(): () => void {
  let again: ReturnType<typeof setTimeout> | undefined;
  let unfollow = begin();
  function begin(): () => void {
    return follow({
      after: "latest",
      types: TYPES,
      onFrames: refreshInbox,
      onConnection(connection) {
        inbox.set({ ...inbox.get(), connection });
        // Whatever happened while nobody listened.
        if (connection === "live") refreshInbox();
      },
      onEnd() {
        // A store that was restored knows no such cursor. Who is signed out is heard by looking.
        void look();
        inbox.set({ ...inbox.get(), connection: "waiting" });
        again = setTimeout(() => {
          unfollow();
          unfollow = begin();
        }, AGAIN_MS);
      },
    });
  }
  return () => {
    clearTimeout(again);
    unfollow();
  };
}

/**
 * Keeps the inbox as the server has it, for as long as the page is open. Browsers have six connections for a server,
 * shared by all tabs: while a session is followed, its stream is the page's only one, and the inbox is looked at.
 */
export function startInbox(): () => void {
  let stop: (() => void) | null = null;
  let settling: ReturnType<typeof setTimeout> | undefined;
  function settle(): void {
    const wanted = sessionsFollowed.get() === 0;
    if (wanted) stop ??= followInbox();
    else {
      stop?.();
      stop = null;
    }
  }
  void look();
  settle();
  // From one session to the next is one change.
  const unsubscribe = sessionsFollowed.subscribe(() => {
    clearTimeout(settling);
    settling = setTimeout(settle);
  });
  const hidden = setInterval(() => document.hidden && void look(), HIDDEN_MS);
  const beside = setInterval(() => !document.hidden && stop === null && void look(), BESIDE_MS);
  return () => {
    unsubscribe();
    clearTimeout(settling);
    clearInterval(hidden);
    clearInterval(beside);
    stop?.();
  };
}

import type { Inbox } from "@fairlead/contract/inbox";
import { call, isCode } from "../lib/api.ts";
import { createStore } from "../lib/store.ts";
import { waiting } from "../lib/title.ts";
import { type Connection, follow } from "./follow.ts";
import { signedOut } from "./identity.ts";
import { notifyOf } from "./notify.ts";

export interface InboxState {
  readonly inbox: Inbox | null;
  readonly connection: Connection;
}

export const inbox = createStore<InboxState>({ inbox: null, connection: "connecting" });

/** What moves something in the inbox. */
const TYPES = ["session_state", "turn_end", "approval_required", "approval_applied", "session_seen"];
/** Several events of one commit are one look. */
const SETTLE_MS = 150;
/** A hidden tab holds no stream: it looks now and then, so that its title stays true. */
const HIDDEN_MS = 20_000;

let due: ReturnType<typeof setTimeout> | undefined;

/** Asks again, soon. */
export function refreshInbox(): void {
  due ??= setTimeout(() => void look(), SETTLE_MS);
}

async function look(): Promise<void> {
  due = undefined;
  try {
    const next = await call("getInbox");
    notifyOf(inbox.get().inbox, next);
    inbox.set({ ...inbox.get(), inbox: next });
    const count = next.counts.needs_input + next.counts.needs_review;
    waiting.set(count);
    // Where the page is installed, its icon says it too. Elsewhere this is refused, which is fine.
    await navigator.setAppBadge?.(count).catch(() => {});
  } catch (error) {
    if (isCode(error, "unauthorized")) signedOut();
    // Otherwise the stream says when the server is back.
  }
}

/** Keeps the inbox as the server has it, for as long as the page is open. */
export function startInbox(): () => void {
  void look();
  const stop = follow({
    after: "latest",
    types: TYPES,
    onFrames: refreshInbox,
    onConnection(connection) {
      inbox.set({ ...inbox.get(), connection });
      // Whatever happened while nobody listened.
      if (connection === "live") refreshInbox();
    },
    onEnd: () => void look(),
  });
  const timer = setInterval(() => document.hidden && void look(), HIDDEN_MS);
  return () => {
    stop();
    clearInterval(timer);
  };
}

import { createStore } from "../lib/store.ts";

/** How many sessions this page follows. A page has one stream: where a session has it, the inbox has none. */
export const sessionsFollowed = createStore(0);

/** Takes the page's stream for a session, until the answer is called. */
export function takeStream(): () => void {
  sessionsFollowed.set(sessionsFollowed.get() + 1);
  let held = true;
  return () => {
    if (held) sessionsFollowed.set(sessionsFollowed.get() - 1);
    held = false;
  };
}

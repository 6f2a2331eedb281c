import type { SessionFeed } from "../state/session-feed.ts";

/** What can be done with the session as a whole. Pause and resume come with background sessions. */
export function Controls(_: { readonly id: string; readonly feed: SessionFeed }) {
  return null;
}

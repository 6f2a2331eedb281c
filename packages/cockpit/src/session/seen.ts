import { useEffect } from "react";
import { call } from "../lib/api.ts";
import type { SessionFeed } from "../state/session-feed.ts";

/**
 * Who looks at a session that has come to rest has seen it: told to the server, so that it holds in every tab. What
 * failed or needs review stays in the inbox: the server knows which, also when it has just become so.
 */
export function useSeen(feed: SessionFeed, id: string): void {
  useEffect(() => {
    let told = 0;
    function tell(): void {
      const { summary, ready, window: range } = feed.get();
      if (!ready || document.hidden || summary.turn !== null || !range.live) return;
      // Of what is shown: that it was seen is an event too, and no news.
      const upto_seq = range.entries.findLast(({ tier }) => tier === "default")?.sources.at(-1) ?? 0;
      if (upto_seq <= told) return;
      told = upto_seq;
      call("markSeen", { params: { id }, body: { upto_seq, look: true } }).catch(() => (told = 0));
    }
    const stop = feed.subscribe(tell);
    document.addEventListener("visibilitychange", tell);
    tell();
    return () => {
      stop();
      document.removeEventListener("visibilitychange", tell);
    };
  }, [feed, id]);
}

import { useEffect, useState } from "react";
import type { SessionFeed } from "../state/session-feed.ts";
import { announce, type Heard } from "./announce.ts";

/** Often enough to follow, seldom enough to be listened to. */
const EVERY_MS = 4_000;
/** What was told stays a while: a reader may be behind. */
const KEPT = 10;

/** Tells those who listen what is new, politely. Each time is a part of its own, so that the same words are told again. */
export function Announcer({ feed }: { readonly feed: SessionFeed }) {
  const [said, setSaid] = useState<readonly { readonly id: number; readonly text: string }[]>([]);
  useEffect(() => {
    let heard: Heard | null = null;
    let id = 0;
    const timer = setInterval(() => {
      const { window: range, ready } = feed.get();
      if (!ready) return;
      const news = announce(range.entries, range.high, heard);
      heard = news.heard;
      if (news.words.length === 0) return;
      id += 1;
      const next = { id, text: news.words.join(" ") };
      setSaid((before) => [...before, next].slice(-KEPT));
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [feed]);
  return (
    <div className="hidden-text" aria-live="polite" aria-atomic="false" aria-relevant="additions">
      {said.map((one) => (
        <p key={one.id}>{one.text}</p>
      ))}
    </div>
  );
}

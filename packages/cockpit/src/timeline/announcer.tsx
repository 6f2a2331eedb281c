import { useEffect, useState } from "react";
import type { SessionFeed } from "../state/session-feed.ts";

/** Often enough to follow, seldom enough to be listened to. */
const EVERY_MS = 4_000;

/** Tells those who listen what is new: polite, whole rows, a few at a time. */
export function Announcer({ feed }: { readonly feed: SessionFeed }) {
  const [said, setSaid] = useState("");
  useEffect(() => {
    let upTo: number | null = null;
    const timer = setInterval(() => {
      const { window: range, ready } = feed.get();
      if (!ready) return;
      const from = upTo;
      upTo = range.high;
      if (from === null) return;
      const fresh = range.entries.filter(
        ({ tier, sources }) => tier === "default" && (sources.at(-1) ?? 0) > from,
      );
      const words = fresh.flatMap((entry) => {
        if (entry.kind === "text" && !entry.open) return [entry.text.slice(0, 300)];
        if (entry.kind === "question" && entry.decided === null)
          return [`${entry.tool} asks for a decision.`];
        if (entry.kind === "tool" && entry.elapsed !== null) return [`${entry.name}: ${entry.state}.`];
        if (entry.kind === "end") return [`Turn ${entry.status}.`];
        if (entry.kind === "enforced") return ["A budget is used up."];
        if (entry.kind === "notice") return [entry.title];
        return [];
      });
      if (words.length > 0) setSaid(words.slice(-3).join(" "));
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [feed]);
  return (
    <div className="hidden-text" aria-live="polite" aria-atomic="true">
      {said}
    </div>
  );
}

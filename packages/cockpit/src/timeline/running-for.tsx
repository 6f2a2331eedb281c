import { useEffect, useState } from "react";
import { wholeSeconds } from "../lib/time.ts";

const TICK_MS = 1_000;

/** How long something runs by now. It alone is drawn again as time goes by. */
export function RunningFor({ since }: { readonly since: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className="tiny dim num" role="timer" aria-label="Runs for">
      {wholeSeconds(since, now)}
    </span>
  );
}

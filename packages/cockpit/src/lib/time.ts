import { createStore, useStore } from "./store.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long, in the largest unit that says enough. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < MINUTE) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ${Math.floor((ms % MINUTE) / 1_000)} s`;
  return `${Math.floor(ms / HOUR)} h ${Math.floor((ms % HOUR) / MINUTE)} min`;
}

/** How long something runs that has not ended; a clock that is behind the server's shows no time before it began. */
export function wholeSeconds(since: string, now: number): string {
  const ms = Math.max(0, now - Date.parse(since));
  if (Number.isNaN(ms)) return "";
  return ms < MINUTE ? `${Math.floor(ms / 1_000)} s` : duration(ms);
}

/** How long ago; a clock that differs a little from the server's shows no future. */
export function age(at: string, now: number): string {
  const ms = Math.max(0, now - Date.parse(at));
  if (Number.isNaN(ms)) return "";
  if (ms < MINUTE) return "now";
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} d`;
}

// Made once: a new one for each row is most of what a row costs.
const whole = new Intl.DateTimeFormat([], { dateStyle: "short", timeStyle: "medium" });
const ofDay = new Intl.DateTimeFormat([], {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hour12: false,
});

export function clockTime(at: string): string {
  const time = Date.parse(at);
  return Number.isNaN(time) ? at : whole.format(time);
}

/** The time of day alone, for where the day is plain. */
export function dayTime(at: string): string {
  const time = Date.parse(at);
  return Number.isNaN(time) ? at : ofDay.format(time);
}

const TICK_MS = 15_000;
const clock = createStore(Date.now());
setInterval(() => {
  if (!document.hidden) clock.set(Date.now());
}, TICK_MS);
addEventListener("visibilitychange", () => clock.set(Date.now()));

/** Now, a few times a minute: ages on the screen grow by themselves. */
export function useNow(): number {
  return useStore(clock);
}

import { type RefObject, useEffect, useRef, useState } from "react";

/** At most this share of the time goes to showing what grows. */
const SHARE = 10;

/** A value that changes quickly, no faster than what is made of it can be made: `took` says how long the last one took. */
export function usePaced(value: string, took: RefObject<number>): string {
  const [shown, show] = useState(value);
  const since = useRef(0);
  useEffect(() => {
    since.current = performance.now();
  }, [shown]);
  useEffect(() => {
    if (value === shown) return;
    const due = since.current + SHARE * took.current;
    const timer = setTimeout(() => show(value), Math.max(0, due - performance.now()));
    return () => clearTimeout(timer);
  }, [value, shown, took]);
  return shown;
}

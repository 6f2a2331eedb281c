import { defaultRangeExtractor, type Range } from "@tanstack/react-virtual";
import { type RefObject, useMemo } from "react";

/** A row that somebody is in, or has something open from: without it they would be thrown out of what they write. */
const HELD = ".timeline-row:is(:focus-within, :has(:popover-open))";

/**
 * Which rows are in the page: those that can be seen, and those that are held, wherever they are scrolled to. Looked
 * up when the seen ones change, by key: places move as rows come before them.
 */
export function useHeld(
  scroller: RefObject<HTMLElement | null>,
  keyAt: (index: number) => string | number,
): (range: Range) => number[] {
  return useMemo(
    () => (range) => {
      const seen = defaultRangeExtractor(range);
      const keys = heldKeys(scroller.current);
      if (keys.size === 0) return seen;
      const held: number[] = [];
      for (let index = 0; index < range.count; index++) if (keys.has(String(keyAt(index)))) held.push(index);
      return [...new Set([...seen, ...held])].toSorted((a, b) => a - b);
    },
    [scroller, keyAt],
  );
}

function heldKeys(scroller: HTMLElement | null): ReadonlySet<string> {
  const rows = scroller?.querySelectorAll<HTMLElement>(HELD) ?? [];
  return new Set(Array.from(rows, ({ dataset }) => dataset["key"] ?? ""));
}

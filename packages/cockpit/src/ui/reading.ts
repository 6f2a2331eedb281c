import { useMemo } from "react";
import { type FileDiff, parseDiff } from "../lib/diff.ts";
import { firstLines, lineCount } from "../lib/diff-shown.ts";
import { useKept } from "../lib/kept.ts";

/** More at once would make the page slow; the rest is a button away. */
const MOST_LINES = 400;

/** A change as somebody reads it: only its first lines, until they ask for all. */
export interface Reading {
  readonly text: string;
  readonly files: readonly FileDiff[];
  /** What is on the screen of each file. */
  readonly shown: readonly FileDiff[];
  readonly lines: number;
  /** Everything is on the screen. */
  readonly whole: boolean;
  showAll(): void;
}

export function useReading(text: string, name: string): Reading {
  const [all, setAll] = useKept(`all of ${name}`, () => false);
  return useMemo(() => {
    const files = parseDiff(text);
    const lines = lineCount(files);
    const whole = all || lines <= MOST_LINES;
    const shown = whole ? files : firstLines(files, MOST_LINES);
    return { text, files, shown, lines, whole, showAll: () => setAll(true) };
  }, [text, all, setAll]);
}

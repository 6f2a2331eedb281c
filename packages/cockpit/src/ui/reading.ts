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
  /** It has more lines than are shown to begin with. */
  readonly long: boolean;
  /** Everything is on the screen. */
  readonly whole: boolean;
  showAll(): void;
}

/** Named, it is remembered that all was shown. */
export function useReading(text: string, name: string | null = null): Reading {
  const [all, setAll] = useKept(name === null ? null : `all of ${name}`, () => false);
  return useMemo(() => {
    const files = parseDiff(text);
    const lines = lineCount(files);
    const long = lines > MOST_LINES;
    const whole = all || !long;
    const shown = whole ? files : firstLines(files, MOST_LINES);
    return { text, files, shown, lines, long, whole, showAll: () => setAll(true) };
  }, [text, all, setAll]);
}

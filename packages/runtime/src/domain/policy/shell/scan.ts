import type { Meter } from "../meter.ts";
import { newMeter } from "../meter.ts";

/** Brackets inside brackets; beyond, a text is not read. */
export const DEEPEST = 30;

/** What ends a list of commands. */
export type End = ")" | "}" | "`" | "";

interface HereDocument {
  readonly delimiter: string;
  /** Leading tabs do not count. */
  readonly strip: boolean;
  readonly take: (body: string) => void;
}

/** Where the reader is. One scan passes over its text once, so reading takes linear time. */
export interface Scan {
  readonly text: string;
  readonly meter: Meter;
  at: number;
  /** How deep in brackets. */
  depth: number;
  /** False once something was met that cannot be read for certain. */
  readable: boolean;
  /** Here-documents whose bodies begin after the next line break. */
  readonly pending: HereDocument[];
}

// Unquoted characters that mean something only once the whole word is known. Private use: no command has them.
export const OPEN = "\uE000";
export const COMMA = "\uE001";
export const CLOSE = "\uE002";
export const SPLIT = "\uE003";
/** Where the name of a variable ends that braces set apart from what follows. */
export const STOP = "\uE004";
const MARKS = /[\uE000-\uE004]/g;

export function scanOf(text: string, meter: Meter = newMeter()): Scan {
  return { text: text.replaceAll(MARKS, "?"), meter, at: 0, depth: 0, readable: true, pending: [] };
}

/** To the end: what follows cannot be read. */
export function giveUp(scan: Scan): void {
  scan.readable = false;
  scan.at = scan.text.length;
}

import { printable } from "../text.ts";
import { cut, textWidth } from "./width.ts";

const CODES = {
  bold: 1,
  dim: 2,
  italic: 3,
  underline: 4,
  inverse: 7,
  strike: 9,
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
} as const;
export type Style = keyof typeof CODES;

/** A piece of text with one look. Made by `span` alone, so that what it holds cannot steer a terminal. */
export interface Span {
  readonly text: string;
  readonly styles: readonly Style[];
}

/** One row of the screen. */
export type Line = readonly Span[];

const TAB = "    ";

export function span(text: string, ...styles: readonly Style[]): Span {
  return { text: printable(text).replaceAll("\t", TAB).replaceAll("\n", " "), styles };
}

/** A row of one piece. */
export function line(text: string, ...styles: readonly Style[]): Line {
  return [span(text, ...styles)];
}

export const BLANK: Line = [];

export function lineWidth(spans: Line): number {
  return spans.reduce((sum, { text }) => sum + textWidth(text), 0);
}

/** The row without looks. */
export function plainLine(spans: Line): string {
  return spans.map(({ text }) => text).join("");
}

/** Cut at the edge. */
export function clipped(spans: Line, width: number): Line {
  if (lineWidth(spans) <= width) return spans;
  const kept: Span[] = [];
  let left = width;
  for (const one of spans) {
    const own = textWidth(one.text);
    // The last that fits is cut too: the sign of more needs a place.
    const text = own < left ? one.text : cut(`${one.text} `, left);
    if (text !== "") kept.push({ ...one, text });
    left -= own;
    if (left <= 0) break;
  }
  return kept;
}

/** Looks as the terminal wants them; without colour, the text alone. */
export function paint(spans: Line, colour: boolean): string {
  if (!colour) return plainLine(spans);
  return spans
    .map(({ text, styles }) => {
      if (styles.length === 0 || text === "") return text;
      return `\u001b[${styles.map((style) => CODES[style]).join(";")}m${text}\u001b[0m`;
    })
    .join("");
}

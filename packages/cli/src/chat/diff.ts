import { type Line, span, type Style } from "./span.ts";
import { wrap } from "./wrap.ts";

/** A unified diff, a row or more for each of its lines; `+` and `-` stay, so that it reads without colour. */
export function diffLines(diff: string, width: number): Line[] {
  return diff
    .replace(/\n$/, "")
    .split("\n")
    .flatMap((text) => {
      const rows = wrap([span(text, ...styleOf(text))], width - 2, { first: [], rest: [span("  ")] });
      return rows.map((row) => [span("▏ ", "dim"), ...row]);
    });
}

function styleOf(text: string): Style[] {
  if (text.startsWith("+++") || text.startsWith("---")) return ["bold"];
  if (text.startsWith("@@")) return ["cyan"];
  if (text.startsWith("+")) return ["green"];
  return text.startsWith("-") ? ["red"] : [];
}

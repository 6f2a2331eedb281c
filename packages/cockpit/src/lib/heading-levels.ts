import type { Token } from "marked";

/** The page has a heading of its own, and so has its timeline. */
const FIRST = 3;
const LAST = 6;

/** Headings of a text go on from those of the page, and leave no level out, whatever the text says. */
export function levelHeadings(walk: (each: (token: Token) => void) => void): void {
  const above: number[] = [];
  walk((token) => {
    if (token.type !== "heading") return;
    while ((above.at(-1) ?? 0) >= token["depth"]) above.pop();
    above.push(token["depth"]);
    token["depth"] = Math.min(LAST, FIRST - 1 + above.length);
  });
}

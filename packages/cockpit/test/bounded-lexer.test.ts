import fc from "fast-check";
import { Marked } from "marked";
import { expect, test } from "vitest";
import { runsOf, tokensOf } from "../src/lib/bounded-lexer.ts";
import { levelHeadings } from "../src/lib/heading-levels.ts";

const marked = new Marked<string, string>({ gfm: true, async: false });
const html = (text: string): string => marked.parser(tokensOf(text, marked.defaults));
/** The deepest that tags stand within each other. */
function depthOf(markup: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [tag] of markup.matchAll(/<\/?(?:blockquote|ul|ol|em|strong|del)>/g)) {
    depth += tag.startsWith("</") ? -1 : 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

test.each([">", "> ", "- ", "* ", "1. ", "> - ", ">- 1. ", "*a _b ", "[", "![", "_a", "~~a", "[a][", "<a "])(
  "%j again and again is read, and not deep",
  (piece) => {
    const shown = html(`${piece.repeat(3_000)}end`);
    expect(shown).toContain("end");
    expect(depthOf(shown)).toBeLessThanOrEqual(24);
  },
);

test("emphasis that opens and closes without end is read too", () => {
  for (const sign of ["*", "_", "~~"])
    expect(html(`${`${sign}a `.repeat(2_000)}mid${` b${sign}`.repeat(2_000)}`)).toContain("mid");
});

test("whatever a text has of the usual, it is as without bounds", () => {
  const text = fc
    .array(
      fc.constantFrom(
        ..."a|b |*c* |**d** |_e_|`f`|[g](https://h.example)|[r][1]|\n|\n\n|- i\n|  - j\n|1. k\n|> l\n|> > m\n|# n\n".split(
          "|",
        ),
        "| o | p |\n|---|--:|\n| q | r |\n",
        "```ts\ns < t\n```\n",
        "\n\n[1]: https://u.example\n",
      ),
      { maxLength: 40 },
    )
    .map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(text, (one) => {
      expect(html(one)).toBe(marked.parse(one));
    }),
  );
});

test("a long run is cut at spaces, nothing of it is lost, and usual ones are whole", () => {
  expect(runsOf("A *usual* [sentence](https://a.example/b_c).")).toHaveLength(1);
  expect(runsOf("")).toEqual([]);
  const words = "_word_ ".repeat(1_000);
  const runs = runsOf(words);
  expect(runs.length).toBeGreaterThan(1);
  expect(runs.join("")).toBe(words);
  expect(runs.slice(1).every((run) => run.startsWith(" "))).toBe(true);
  const unbroken = "_a".repeat(10_000);
  expect(runsOf(unbroken).join("")).toBe(unbroken);
  expect(Math.max(...runsOf(unbroken).map(({ length }) => length))).toBeLessThanOrEqual(1_100);
});

test.each([
  ["# a\n\n## b\n\n### c\n\n# d", [3, 4, 5, 3]],
  ["#### a\n\n###### b\n\n## c", [3, 4, 3]],
  ["# a\n\n## b\n\n### c\n\n#### d\n\n##### e\n\n###### f", [3, 4, 5, 6, 6, 6]],
])("headings of %j go on from those of the page, without a gap", (text, levels) => {
  const tokens = tokensOf(text, marked.defaults);
  levelHeadings((each) => void marked.walkTokens(tokens, each));
  expect([...marked.parser(tokens).matchAll(/<h(\d)>/g)].map(([, level]) => Number(level))).toEqual(levels);
});

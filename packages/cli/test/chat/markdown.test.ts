import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitBlocks } from "../../src/chat/blocks.ts";
import { layout, NOTHING_PRINTED, type Printed } from "../../src/chat/layout.ts";
import { markdownLines } from "../../src/chat/markdown.ts";
import type { View } from "../../src/chat/model.ts";
import { lineWidth, paint } from "../../src/chat/span.ts";
import { EMPTY_VIEW, evolve, forget } from "../../src/chat/view.ts";
import { frame, shown, token } from "./support.ts";

const DOC = `# A title

Some **bold** and *italic* words, and \`code\`.
They go on here.

- one
- two
  - inner

- three after a gap

1. first
2. second

\`\`\`ts
const x = 1;

  if (x) go();
\`\`\`

| name | size |
|------|-----:|
| a | 1 |
| long name | 22 |

> quoted
> twice

Under
===

The [end](http://example.test/).
`;

const PLAIN = { width: 40, colour: false };

describe("markdown of a model", () => {
  test("is laid out in rows, and readable without colour", () => {
    expect(shown(markdownLines(DOC, PLAIN))).toBe(`# A title

Some bold and italic words, and \`code\`.
They go on here.

• one
• two
  • inner
• three after a gap

1. first
2. second

▏ ts
▏ const x = 1;
▏
▏   if (x) go();

name      │ size
──────────┼─────
a         │    1
long name │   22

▏ quoted twice

# Under

The end (http://example.test/).`);
  });

  test("has looks where there is colour, and says where a link leads", () => {
    const text = markdownLines("**b** *i* `c` [safe](http://evil.test)", { width: 80, colour: true })
      .map((row) => paint(row, true))
      .join("\n");
    expect(text).toContain("\u001b[1mb\u001b[0m");
    expect(text).toContain("\u001b[3mi\u001b[0m");
    expect(text).toContain("\u001b[36mc\u001b[0m");
    expect(text).toContain("(http://evil.test)");
  });

  test("turns a table that has no room into cells below each other", () => {
    const table =
      "| name | what it is for | who keeps it |\n|-|-|-|\n| lantern | light in the night | the keeper |";
    expect(shown(markdownLines(table, { width: 22, colour: false }))).toBe(
      "name: lantern\nwhat it is for: light\n  in the night\nwho keeps it: the\n  keeper",
    );
  });

  test("never makes a row wider than the screen, whatever is written", () => {
    const words = fc.array(
      fc.oneof(
        fc.constantFrom("- ", "\n", "\n\n", "| a | b |\n|-|-|\n", "```\n", "> ", "**", "漢字", "👩‍👩‍👧", "\t"),
        fc.string(),
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(words, fc.integer({ min: 24, max: 90 }), (parts, width) => {
        for (const row of markdownLines(parts.join(""), { width, colour: false }))
          expect(lineWidth(row)).toBeLessThanOrEqual(Math.max(width, 24));
      }),
    );
  });
});

/** Plays the text in these pieces on a screen of so many rows; what is printed for good, at the end. */
function played(pieces: readonly string[], rows: number): string {
  let view: View = EMPTY_VIEW;
  let printed: Printed = NOTHING_PRINTED;
  const out: string[] = [];
  const scene = { ...PLAIN, now: 0, thinking: false };
  const frames = [
    ...pieces.map((text) => token(text)),
    frame("response", { text: pieces.join(""), step: 1 }),
  ];
  for (const one of frames) {
    view = evolve(view, one, 0);
    const next = layout(view.items, printed, scene, rows);
    expect(next.live.length).toBeLessThanOrEqual(rows);
    out.push(...next.commit.map((row) => shown([row])));
    printed = next.printed;
    view = forget(view, next.done);
  }
  expect(view.items).toEqual([]);
  return out.join("\n");
}

describe("markdown that is still coming", () => {
  test("is printed the same however it is cut into pieces", () => {
    const whole = played([DOC], 50);
    expect(whole).toContain("• three after a gap");
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 20, maxLength: 80 }), (sizes) => {
        const pieces: string[] = [];
        let at = 0;
        for (const size of sizes) {
          pieces.push(DOC.slice(at, at + size));
          at += size;
        }
        pieces.push(DOC.slice(at));
        expect(
          played(
            pieces.filter((piece) => piece !== ""),
            50,
          ),
        ).toBe(whole);
      }),
    );
  });

  test("longer than the screen is printed from above, each line once", () => {
    const code = `\`\`\`\n${Array.from({ length: 60 }, (_, i) => `line ${i}`).join("\n")}\n\`\`\`\n`;
    const text = played(code.split(/(?<=\n)/), 8);
    expect(text.split("\n").filter((row) => row.includes("line"))).toEqual(
      Array.from({ length: 60 }, (_, i) => `▏ line ${i}`),
    );
  });

  test("keeps back a block that may still change", () => {
    expect(splitBlocks("one\n\ntwo ")).toEqual({ finished: ["one"], rest: "two " });
    expect(splitBlocks("- a\n\n")).toEqual({ finished: [], rest: "- a\n\n" });
    expect(splitBlocks("```\na\n\nb")).toEqual({ finished: [], rest: "```\na\n\nb" });
    expect(splitBlocks("Title\n")).toEqual({ finished: [], rest: "Title\n" });
  });
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { blocksOf } from "../src/lib/blocks.ts";

const texts = (text: string): readonly string[] => blocksOf(text).map((block) => block.text);

test("a text is cut at blank lines, and not within code", () => {
  expect(texts("one\ntwo\n\n\nthree")).toEqual(["one\ntwo", "three"]);
  expect(texts("```ts\na\n\nb\n```\n\nc")).toEqual(["```ts\na\n\nb\n```", "c"]);
  expect(texts("````\n```\n\na\n````\n\nb")).toEqual(["````\n```\n\na\n````", "b"]);
  expect(texts("")).toEqual([]);
});

const ROWS = Array.from({ length: 300 }, (_, i) => `| cell ${i} | another |`);

test("a long table is cut between rows, and each part has its head", () => {
  const blocks = blocksOf(["| a | b |", "|---|---|", ...ROWS].join("\n"));
  expect(blocks.length).toBeGreaterThan(3);
  expect(blocks.map(({ continued }) => continued)).toEqual(blocks.map((_, index) => index > 0));
  for (const { text } of blocks) expect(text).toMatch(/^\| a \| b \|\n\|---\|---\|\n\| cell/);
  expect(blocks.flatMap(({ text }) => text.split("\n").slice(2))).toEqual(ROWS);
});

test("a long list is cut between items, with what is below an item", () => {
  const items = Array.from({ length: 200 }, (_, i) => `${i + 1}. item ${i}\n   - below it`);
  const parts = texts(items.join("\n"));
  expect(parts.length).toBeGreaterThan(2);
  for (const part of parts) expect(part).toMatch(/^\d+\. item/);
  expect(parts.join("\n")).toBe(items.join("\n"));
});

test("long code is cut between lines, each part opened as the first was", () => {
  const lines = Array.from({ length: 200 }, (_, i) => `const v${i} = ${i};`);
  const blocks = blocksOf(["~~~ts", ...lines, "~~~"].join("\n"));
  expect(blocks.length).toBeGreaterThan(1);
  expect(blocks.every(({ text }) => text.startsWith("~~~ts\n"))).toBe(true);
  expect(blocks.flatMap(({ text }) => text.split("\n").slice(1))).toEqual([...lines, "~~~"]);
});

test("while a text grows, only its last part changes: those before stay as they are", () => {
  const line = fc.constantFrom("word", "- item", "| a | b |", "|---|---|", "```", "", "x".repeat(800));
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), (lines) => {
      const whole = blocksOf(lines.join("\n"));
      for (let count = 1; count < lines.length; count++) {
        const settled = blocksOf(lines.slice(0, count).join("\n")).slice(0, -1);
        expect(whole.slice(0, settled.length)).toEqual(settled);
      }
    }),
  );
});

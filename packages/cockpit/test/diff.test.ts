import { expect, test } from "vitest";
import { pairs, parseDiff } from "../src/lib/diff.ts";

const TEXT = `--- a/notes.md
+++ b/notes.md
@@ -1,4 +1,4 @@
 same
-old one
-old two
+new one
 end
\\ No newline at end of file
`;

test("a unified diff is read with its numbers and counts", () => {
  const diff = parseDiff(TEXT);
  expect(diff).toMatchObject({ before: "a/notes.md", after: "b/notes.md", added: 1, removed: 2 });
  expect(diff.hunks[0]?.lines.map(({ kind, before, after }) => [kind, before, after])).toEqual([
    ["same", 1, 1],
    ["removed", 2, null],
    ["removed", 3, null],
    ["added", null, 2],
    ["same", 4, 3],
  ]);
});

test("side by side, what came stands beside what went", () => {
  const lines = parseDiff(TEXT).hunks[0]?.lines ?? [];
  expect(pairs(lines).map(({ left, right }) => [left?.text ?? null, right?.text ?? null])).toEqual([
    ["same", "same"],
    ["old one", "new one"],
    ["old two", null],
    ["end", "end"],
  ]);
});

test.each(["", "no diff at all", "@@ broken @@\n+a", "--- a\n+++ b\n"])("%j changes nothing", (text) => {
  expect(parseDiff(text)).toMatchObject({ hunks: [], added: 0, removed: 0 });
});

test("a line that looks like a header is a line, within a hunk", () => {
  const { hunks } = parseDiff("--- a\n+++ b\n@@ -1 +1 @@\n--- not a header\n+++ nor this\n");
  expect(hunks[0]?.lines.map(({ kind, text }) => [kind, text])).toEqual([
    ["removed", "-- not a header"],
    ["added", "++ nor this"],
  ]);
});

import { expect, test } from "vitest";
import { parseDiff } from "../src/lib/diff.ts";
import { fileName, firstLines, isByLine, lineCount, pairs, withoutLines } from "../src/lib/diff-shown.ts";

const TEXT = `--- a/notes.md
+++ b/notes.md
@@ -1,4 +1,3 @@
 same
-old one
-old two
+new one
 end
\\ No newline at end of file
`;

/** Each file as its name, its counts and the text of its lines. */
const told = (text: string) =>
  parseDiff(text).map((file) => ({
    name: fileName(file),
    counts: [file.added, file.removed],
    notes: file.notes,
    lines: file.hunks.flatMap(({ lines }) => lines.map((line) => `${line.kind}: ${line.text}`)),
  }));

test("a unified diff is read with its numbers and counts", () => {
  const [diff] = parseDiff(TEXT);
  expect(diff).toMatchObject({ before: "a/notes.md", after: "b/notes.md", added: 1, removed: 2 });
  expect(diff?.hunks[0]?.lines.map(({ kind, before, after }) => [kind, before, after])).toEqual([
    ["same", 1, 1],
    ["removed", 2, null],
    ["removed", 3, null],
    ["added", null, 2],
    ["same", 4, 3],
    ["note", null, null],
  ]);
});

test("side by side, what came stands beside what went, and a note under the line that it is about", () => {
  const side = (text: string) =>
    pairs(parseDiff(text)[0]?.hunks[0]?.lines ?? []).map(({ left, right }) => [
      left?.text ?? null,
      right?.text ?? null,
    ]);
  const none = "\\ No newline at end of file";
  expect(side(TEXT)).toEqual([
    ["same", "same"],
    ["old one", "new one"],
    ["old two", null],
    ["end", "end"],
    [none, none],
  ]);
  expect(side(`--- a/x\n+++ b/x\n@@ -1 +1 @@\n-same\n+same\n${none}\n`)).toEqual([
    ["same", "same"],
    [null, none],
  ]);
});

test.each(["no diff at all", "Binary file logo.png would be replaced by text.\n", "@@ broken @@"])(
  "%j is kept as it is, and not taken for a file that stays",
  (text) => {
    const [file] = parseDiff(text);
    expect(file).toMatchObject({ hunks: [], notes: [text.trimEnd()], added: 0, removed: 0 });
    expect(withoutLines(file!)).toBe(null);
    expect(isByLine([file!])).toBe(false);
  },
);

test.each([
  ["--- a/x\n+++ b/x\n", "The file would stay as it is."],
  ["--- /dev/null\n+++ b/x\n", "A new file, with nothing in it."],
  ["--- a/x\n+++ /dev/null\n", "An empty file would be taken away."],
])("without lines: %j", (text, words) => {
  expect(withoutLines(parseDiff(text)[0]!)).toBe(words);
});

test("a line that looks like a header is a line, within a hunk", () => {
  expect(told("--- a\n+++ b\n@@ -1 +1 @@\n--- not a header\n+++ nor this\n")).toMatchObject([
    { lines: ["removed: -- not a header", "added: ++ nor this"] },
  ]);
});

test("several files, each with its name and its own counts", () => {
  const git = `diff --git a/one.ts b/one.ts
index 1111111..2222222 100644
--- a/one.ts
+++ b/one.ts
@@ -1 +1,2 @@
-was
+is
+more
diff --git a/a name.ts b/a name.ts
deleted file mode 100644
--- a/a name.ts\t
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/logo.png b/logo.png
index 1111111..2222222
Binary files a/logo.png and b/logo.png differ
`;
  expect(told(git)).toEqual([
    { name: "one.ts", counts: [2, 1], notes: [], lines: ["removed: was", "added: is", "added: more"] },
    { name: "a name.ts", counts: [0, 1], notes: ["deleted file mode 100644"], lines: ["removed: gone"] },
    { name: "logo.png", counts: [0, 0], notes: ["Binary files a/logo.png and b/logo.png differ"], lines: [] },
  ]);
  // As other tools write it: no line between the files but their names.
  expect(
    told("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n--- a/y\n+++ b/z\n@@ -1 +1 @@\n-3\n+4\n").map(
      ({ name, counts }) => [name, ...counts],
    ),
  ).toEqual([
    ["x", 1, 1],
    ["y → z", 1, 1],
  ]);
});

test("a hunk that says fewer lines than it has hides none of them", () => {
  const [file] = told("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n+3\n-4\nodd\n");
  expect(file?.lines).toEqual(["removed: 1", "added: 2", "added: 3", "removed: 4", "note: odd"]);
});

test("the first lines are counted over all hunks and files", () => {
  const files = parseDiff(
    "--- a/x\n+++ b/x\n@@ -1,2 +0,0 @@\n-1\n-2\n@@ -9,2 +0,0 @@\n-9\n-10\n--- a/y\n+++ b/y\n@@ -1 +0,0 @@\n-1\n",
  );
  expect(lineCount(files)).toBe(5);
  const cut = firstLines(files, 3);
  expect(cut.map(({ hunks }) => hunks.map(({ lines }) => lines.length))).toEqual([[2, 1], []]);
  expect(cut.map(({ removed }) => removed)).toEqual([4, 1]);
});

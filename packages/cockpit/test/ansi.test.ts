import fc from "fast-check";
import { expect, test } from "vitest";
import { styledLines } from "../src/lib/ansi.ts";

const plain = (text: string): string =>
  styledLines(text)
    .map((part) => part.text)
    .join("");

test("colours and weights become classes, and end where they end", () => {
  expect(styledLines("a\u001b[1;31mb\u001b[39mc\u001b[0md")).toEqual([
    { text: "a", classes: "" },
    { text: "b", classes: "ansi-red ansi-bold" },
    { text: "c", classes: "ansi-bold" },
    { text: "d", classes: "" },
  ]);
});

test("colours by number or by value are passed over with their arguments", () => {
  expect(styledLines("\u001b[38;5;31mx\u001b[48;2;1;2;31my")).toEqual([
    { text: "x", classes: "" },
    { text: "y", classes: "" },
  ]);
});

test.each([
  ["\u001b[2J\u001b[Hclear", "clear"],
  ["\u001b]0;title\u0007after", "after"],
  ["\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\", "link"],
  ["10%\r100%", "100%"],
  ["1\r2\r3\na\rb\r\nc\r", "3\nb\nc"],
  ["windows\r\nline", "windows\nline"],
  ["\u001bPpayload\u001b\\after", "after"],
  ["bell\u0007 back\u0008", "bell back"],
  ["cut off \u001b", "cut off "],
])("%j shows %j", (text, shown) => expect(plain(text)).toBe(shown));

test("whatever comes, nothing that a terminal obeys is left", () => {
  const piece = fc.constantFrom(
    "\u001b",
    "[",
    "]",
    "0;",
    "31m",
    "\u0007",
    "\\",
    "P",
    "x",
    "\n",
    "\r",
    "\u009b",
    "é",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      // oxlint-disable-next-line no-control-regex
      expect(plain(pieces.join(""))).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    }),
  );
});

test("the time that a line takes grows with its length, and not with the square of it", () => {
  // With the square of it, each would take longer than a test may.
  const long = 2_000_000;
  for (const line of ["x".repeat(long), "x\r".repeat(long / 2), "\r\n".repeat(long / 2)])
    expect(plain(`\u001b[31m${line}`).length).toBeLessThanOrEqual(long);
});

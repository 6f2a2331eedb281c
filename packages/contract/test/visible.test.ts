import { expect, test } from "vitest";
import { visible, visibleJson, visibleParts } from "../src/visible.ts";

test.each([
  ["what turns text around", "safe\u202egpj.exe", "safe\\u202egpj.exe"],
  ["isolates and marks", "\u2066a\u2069\u200f\u061c", "\\u2066a\\u2069\\u200f\\u061c"],
  ["what has no width", "pa\u200bss\ufeff\u2060", "pa\\u200bss\\ufeff\\u2060"],
  ["fillers that look like nothing", "a\u3164\u115f\u2800", "a\\u3164\\u115f\\u2800"],
  ["tags, which can carry a whole text", "hi\u{e0041}", "hi\\u{e0041}"],
  ["selectors that select nothing", "a\ufe0f\u{e0100}", "a\\ufe0f\\u{e0100}"],
  ["a terminal's controls", "a\u001b[2K\u0008\u009b", "a\\u001b[2K\\u0008\\u009b"],
  ["a return that overwrites", "rm -rf /\recho hi", "rm -rf /\\u000decho hi"],
  ["separators that break lines for some", "a\u2028b", "a\\u2028b"],
  ["half a character", "a\ud800b", "a\\ud800b"],
  ["a joiner where nothing joins", "a\u200db", "a\\u200db"],
])("shown: %s", (_, text, shown) => {
  expect(visible(text)).toBe(shown);
});

test.each([
  ["lines and tabs", "a\n\tb\r\nc"],
  ["emoji", "👩\u200d💻 👍🏽 ❤\ufe0f 👩🏽\u200d🚀"],
  ["scripts that join", "می\u200cخواهم क्\u200dष"],
  ["other scripts", "שלום 日本語 é ñ"],
  ["an escape that somebody wrote", "\\u202e"],
])("as it is: %s", (_, text) => {
  expect(visible(text)).toBe(text);
});

test("the parts say which of them are escapes", () => {
  expect(visibleParts("a\u202eb\u200b")).toEqual(["a", "\\u202e", "b", "\\u200b", ""]);
  expect(visibleParts("\\u202e")).toEqual(["\\u202e"]);
});

test("JSON to be edited hides nothing and stays the same value", () => {
  const value = { path: "a\u202eb", "k\u200b": ["\u{e0041}", "line\nbreak", "\ud800"] };
  const text = visibleJson(value);
  expect(visible(text)).toBe(text);
  expect(JSON.parse(text)).toEqual(value);
});

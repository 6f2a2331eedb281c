import { expect, test } from "vitest";
import { subjectOf } from "../src/subject.ts";

test.each([
  ["a path", { arguments: { content: "long", path: "src/a.ts" } }, "src/a.ts"],
  ["a command of several lines, on one", { arguments: { command: "cd a\n  && make" } }, "cd a && make"],
  ["what none of the known names holds", { arguments: { depth: 2, recipient: "bob" } }, "bob"],
  ["the call of a foreign agent", { tool_input: { command: "ls" } }, "ls"],
  ["a list of words is no text", { arguments: { command: ["ls"] } }, null],
  ["an empty text", { arguments: { path: "  " } }, null],
  ["no arguments", { reason: "A budget", crossed: [] }, null],
  ["nothing", null, null],
  ["a text", "shown", null],
  ["a list", [{ path: "a" }], null],
])("%s", (_, shown, subject) => {
  expect(subjectOf(shown)).toBe(subject);
});

test("what is long is cut, and no half of a character is left", () => {
  const subject = subjectOf({ arguments: { path: "🙂".repeat(500) } });
  expect(Array.from(subject ?? "")).toHaveLength(120);
  expect(subject?.endsWith("🙂…")).toBe(true);
});

import { expect, test } from "vitest";
import { slimLine } from "../src/lib/slim-line.ts";

test.each([
  ["Paused", "Paused by root: To look.", "Paused by root: To look."],
  ["Step 1 completed", "list_files", "Step 1 completed: list_files"],
  ["Step 2 running", "", "Step 2 running"],
])("one line says %s once", (title, text, line) => {
  expect(slimLine({ title, text })).toBe(line);
});

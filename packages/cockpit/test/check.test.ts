import { expect, test } from "vitest";
import { NO_CHECK, requiresOf } from "../src/start/check.tsx";

test("what is written is asked for, and blanks ask for nothing", () => {
  expect(requiresOf(NO_CHECK)).toEqual([]);
  expect(requiresOf({ command: "  ", path: "\t" })).toEqual([]);
  expect(requiresOf({ command: " npm test ", path: "" })).toEqual([{ kind: "command", command: "npm test" }]);
  expect(requiresOf({ command: "", path: "a.md" })).toEqual([{ kind: "file", path: "a.md" }]);
});

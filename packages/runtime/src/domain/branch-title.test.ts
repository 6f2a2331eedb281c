import { expect, test } from "vitest";
import { branchTitle } from "./branch-title.ts";

test("a branch is told from what it came from, from its siblings, and from its own branches", () => {
  expect(branchTitle("Tidy up", 0)).toBe("Tidy up (branch 1)");
  expect(branchTitle("Tidy up", 1)).toBe("Tidy up (branch 2)");
  expect(branchTitle("Tidy up (branch 2)", 0)).toBe("Tidy up (branch 2.1)");
  expect(branchTitle("Tidy up (branch 2.1)", 10)).toBe("Tidy up (branch 2.1.11)");
});

test("what has no title gets none, and a long one stays within what a title may have", () => {
  expect([branchTitle(null, 1), branchTitle(undefined, 1), branchTitle("", 1)]).toEqual([null, null, null]);
  const long = branchTitle("x".repeat(500), 0) ?? "";
  expect([long.length, long.endsWith("x (branch 1)")]).toEqual([500, true]);
});

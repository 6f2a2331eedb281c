import { expect, test } from "vitest";
import { branchTitle } from "../../runtime/src/domain/branch-title.ts";
import { branchMark } from "../src/lib/branch-mark.ts";

test("what the server adds to a title is told from it, also of a branch of a branch", () => {
  const first = branchTitle("Tidy up", 0) ?? "";
  expect(branchMark(first)).toEqual(["Tidy up", "(branch 1)"]);
  expect(branchMark(branchTitle(first, 10) ?? "")).toEqual(["Tidy up", "(branch 1.11)"]);
  expect(branchMark(branchTitle("x".repeat(500), 0) ?? "")[1]).toBe("(branch 1)");
});

test("a title that only looks like it is left whole", () => {
  for (const title of ["", "Tidy up", "Tidy (branch 1) up", "Tidy (branch one)", "(branch 1)"])
    expect(branchMark(title)).toEqual([title, null]);
});

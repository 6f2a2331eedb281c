import { SUMMARY_MOST } from "@fairlead/contract/view";
import { expect, test } from "vitest";
import { howMany } from "../src/panels/how-many.ts";

test.each([
  [3, false, "3"],
  [3, true, "3+"],
  [SUMMARY_MOST - 1, false, "999"],
  [SUMMARY_MOST, false, "1000+"],
])("%i listed, of which more may be there: %s", (listed, partial, said) => {
  expect(howMany(listed, partial)).toBe(said);
});

import { EMPTY_SUMMARY } from "@fairlead/contract/view";
import { expect, test } from "vitest";
import { noneYet } from "../src/panels/none-yet.ts";

test("a session that has done nothing says what will be here, and names nothing that is", () => {
  const none = noneYet(EMPTY_SUMMARY, null);
  expect(none).toContain("files changed");
  expect(none.length).toBeGreaterThan(10);
  const begun = { ...EMPTY_SUMMARY, tasks: [{ id: "1", title: "Look", status: "pending" }] };
  expect(noneYet(begun, null)).toEqual(none.filter((name) => name !== "tasks"));
});

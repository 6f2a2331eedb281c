import type { InboxEntry } from "@fairlead/contract/inbox";
import { expect, test } from "vitest";
import { nextKey } from "../src/inbox/focus.ts";
import { wholeOf } from "../src/inbox/whole.ts";

const entry = (key: string, group: string): InboxEntry => ({ key, group }) as InboxEntry;
const first = [entry("a", "needs_input"), entry("f", "needs_review"), entry("i", "idle")];

test("more of a group stands before the next group, each once, and the next row is the next on the screen", () => {
  const extras = {
    needs_review: { entries: [entry("f", "needs_review"), entry("g", "needs_review")], cursor: null },
    needs_input: { entries: [entry("b", "needs_input")], cursor: "further" },
  };
  const keys = wholeOf(first, extras).map(({ key }) => key);
  expect(keys).toEqual(["a", "b", "f", "g", "i"]);
  expect(nextKey(keys, "a")).toBe("b");
  expect(nextKey(keys, "b")).toBe("f");
});

test("nothing more is asked for: the inbox as it came", () => {
  expect(wholeOf(first, {})).toEqual(first);
});

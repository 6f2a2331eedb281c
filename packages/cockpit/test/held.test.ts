import type { InboxEntry } from "@fairlead/contract/inbox";
import { expect, test } from "vitest";
import { withHeld } from "../src/inbox/held.ts";

const entry = (key: string, group = "needs_input"): InboxEntry => ({ key, group }) as InboxEntry;
const [a, b, c, idle] = [entry("a"), entry("b"), entry("c"), entry("i", "idle")];

test.each([
  ["nothing is held", [a, c], null, "a c"],
  ["it is still there", [a, b, c], { entry: b, after: "a" }, "a b c"],
  ["it went", [a, c, idle], { entry: b, after: "a" }, "a b c i"],
  ["the one before it went too", [c, idle], { entry: b, after: "a" }, "b c i"],
  ["it was the first", [b, c], { entry: a, after: null }, "a b c"],
  ["all of its group went", [idle], { entry: b, after: "a" }, "b i"],
  ["nothing else is there", [], { entry: b, after: null }, "b"],
] as const)("%s", (_, entries, held, order) => {
  expect(
    withHeld(entries, held)
      .map(({ key }) => key)
      .join(" "),
  ).toBe(order);
});

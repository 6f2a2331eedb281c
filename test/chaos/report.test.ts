import { expect, it } from "vitest";
import type { Chaos } from "./chaos.ts";
import { failuresOf, resultOf } from "./report.ts";

const survived: Chaos = {
  scenario: "tools",
  store: "sqlite",
  commits: 5,
  events: 9,
  total: 10,
  survived: 10,
  failures: [],
};
const lost: Chaos = {
  ...survived,
  store: "postgres",
  survived: 9,
  failures: [{ point: { commit: 3, moment: "acted" }, problems: ["c1 has no outcome", "q1 is open"] }],
};

it("counts what was survived, of all and of each scenario on each store", () => {
  expect(resultOf([survived, lost])).toEqual({
    bench: "chaos",
    survived: 19,
    total: 20,
    scenarios: { tools: { sqlite: { survived: 10, total: 10 }, postgres: { survived: 9, total: 10 } } },
  });
});

it("says where it was not survived, and what does not hold since", () => {
  expect(failuresOf(survived)).toBe("");
  expect(failuresOf(lost)).toBe("  tools on postgres, commit 3, acted: c1 has no outcome; q1 is open\n");
});

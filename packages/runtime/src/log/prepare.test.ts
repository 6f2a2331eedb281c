import { type NewEvent, type StreamId, idMaker } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import { createPrepare, isRefusal } from "./prepare.ts";
import { indexProjections } from "./projecting.ts";
import { createRedactor } from "./redact.ts";

const prepare = createPrepare({
  clock: { now: () => 0 },
  ids: { next: idMaker({ now: () => 0, random: () => 0 }) },
  redactor: createRedactor({ patterns: [] }),
  sealer: undefined,
  projections: indexProjections([]),
});
const asked = (data: unknown) =>
  prepare({ type: "runtime.budget.reserved", data } as NewEvent, "ses_1" as StreamId);

const GOOD = { turn_id: "trn_1", step: 1, attempt: 1, tokens: 5, accounts: ["a"] };
const BAD: readonly (readonly [string, unknown])[] = [
  ["nothing", undefined],
  ["null", null],
  ["a list", []],
  ["a field left out", { ...GOOD, tokens: undefined }],
  ["a field of another kind", { ...GOOD, accounts: "a" }],
  ["a field out of bounds", { ...GOOD, step: -1 }],
  ["a field that is unknown", { ...GOOD, other: 1 }],
  ["something deep inside", { ...GOOD, accounts: ["a", 1] }],
];

describe("data that does not fit", () => {
  it("is refused with the same words, whether or not its type was taken before", () => {
    const before = BAD.map(([, data]) => asked(data));
    expect(isRefusal(asked(GOOD))).toBe(false);
    expect(isRefusal(asked(GOOD))).toBe(false);
    expect(BAD.map(([, data]) => asked(data))).toEqual(before);
    expect(before.every(isRefusal)).toBe(true);
  });

  it("is told by what is wrong with it", () => {
    expect(asked(GOOD)).toMatchObject({ type: "runtime.budget.reserved" });
    expect(asked({ ...GOOD, accounts: ["a", 1], step: -1 })).toMatchObject({
      code: "event_invalid",
      message: "Event runtime.budget.reserved refused: step: Too small: expected number to be >=0.",
      details: { type: "runtime.budget.reserved", issues: [{ path: "step" }, { path: "accounts.1" }] },
    });
  });
});

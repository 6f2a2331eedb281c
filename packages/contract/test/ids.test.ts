import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { IdKind } from "../src/index.ts";
import { ID_PREFIXES, idMaker, idSchema, isId, isStreamId, SYSTEM_STREAM } from "../src/index.ts";

const KINDS = Object.keys(ID_PREFIXES) as IdKind[];

/** A clock that shows the given times in turn, then stays. */
function clockOf(times: readonly number[]) {
  let next = 0;
  return () => times[Math.min(next++, times.length - 1)] ?? 0;
}

const time = fc.integer({ min: 0, max: 2 ** 45 });
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe("ids", () => {
  test("strictly increase within one source, whatever its clock does", () => {
    fc.assert(
      fc.property(fc.array(time, { minLength: 2, maxLength: 30 }), random, (times, dice) => {
        const make = idMaker({ now: clockOf(times), random: () => dice });
        const made = times.map(() => make("event"));
        expect(made).toEqual([...new Set(made)].toSorted());
      }),
    );
  });

  test("sort by time between sources", () => {
    fc.assert(
      fc.property(time, time, random, random, (a, b, diceA, diceB) => {
        fc.pre(a !== b);
        const idA = idMaker({ now: () => a, random: () => diceA })("session");
        const idB = idMaker({ now: () => b, random: () => diceB })("session");
        expect(idA < idB).toBe(a < b);
      }),
    );
  });

  test("come out right from a clock that shows fractions", () => {
    const make = idMaker({ now: () => 1234.75, random: () => 0.5 });
    expect(isId("event", make("event"))).toBe(true);
  });

  test.each(KINDS)("of kind %s say so, and are no other kind", (kind) => {
    const id = idMaker({ now: () => 1, random: () => 0 })(kind);
    expect(KINDS.filter((other) => isId(other, id))).toEqual([kind]);
    expect(KINDS.filter((other) => idSchema(other).safeParse(id).success)).toEqual([kind]);
  });

  test("prefixes are distinct", () => {
    expect(new Set(Object.values(ID_PREFIXES)).size).toBe(KINDS.length);
  });

  test.each([
    "",
    "ses_",
    "ses",
    "SES_1",
    "ses_1 ",
    " ses_1",
    "ses_1\n",
    "ses_a-b",
    "ses_../../x",
    `ses_${"a".repeat(65)}`,
    "xses_1",
    7,
    null,
    undefined,
    ["ses_1"],
  ])("%j is no session id", (text) => {
    expect(isId("session", text)).toBe(false);
    expect(isStreamId(text)).toBe(false);
    expect(idSchema("session").safeParse(text).success).toBe(false);
  });

  test("a stream is a session, a project or the system", () => {
    expect([SYSTEM_STREAM, "ses_1", "prj_1"].every(isStreamId)).toBe(true);
    expect(["evt_1", "System", "system "].some(isStreamId)).toBe(false);
  });
});

import fc from "fast-check";
import { expect, it } from "vitest";
import { type TakenId, freeId, withTaken } from "./call-ids.ts";

/** What calls are named when a model says these ids, one after another. */
function named(...said: readonly string[]): readonly string[] {
  let taken: readonly TakenId[] = [];
  return said.map((id) => {
    const free = freeId(id, taken);
    taken = withTaken(taken, free);
    return free;
  });
}

it("keeps an id that nobody has, and numbers the others", () => {
  expect(named("a", "b", "a", "a", "b")).toEqual(["a", "b", "a-2", "a-3", "b-2"]);
  expect(named("call_0-2", "call_0", "call_0-2")).toEqual(["call_0-2", "call_0-3", "call_0-4"]);
});

it("makes up an id where the model gives none, of signs that every provider takes back", () => {
  expect(named("", "", "x", "call-1")).toEqual(["call-1", "call-2", "x", "call-3"]);
});

it("goes on where there is no higher number", () => {
  expect(named("a-999999", "a", "a", "a-1000000")).toEqual(["a-999999", "a_", "a_-2", "a-1000000"]);
});

it("gives no two calls the same id, whatever is said", () => {
  const id = fc.oneof(
    fc.constantFrom("", "call", "call_0", "call-1", "a", "a-2", "a-999999", "a_", "__proto__"),
    fc.stringMatching(/^[ab]?(-[0-9]{0,3}){0,2}$/),
  );
  fc.assert(
    fc.property(fc.array(id, { maxLength: 60 }), (said) => {
      const all = named(...said);
      expect(new Set(all).size).toBe(all.length);
    }),
  );
});

it("is bounded, and forgets what was said longest ago", () => {
  let taken: readonly TakenId[] = [["call_0", 7]];
  for (let i = 0; i < 5_000; i++) {
    taken = withTaken(taken, `made-up_${i}`);
    taken = withTaken(taken, freeId("call_0", taken));
  }
  expect(taken.length).toBeLessThan(300);
  expect(freeId("call_0", taken)).toBe("call_0-5008");
});

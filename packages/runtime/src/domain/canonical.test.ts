import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonical.ts";

/** As JSON says it, key by key. */
function plainly(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(plainly).join(",")}]`;
  const said = Object.entries(value).filter(([, item]) => item !== undefined);
  const pairs = said.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${pairs.map(([key, item]) => `${JSON.stringify(key)}:${plainly(item)}`).join(",")}}`;
}

const any = fc.anything({
  values: [
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme-ascii", maxLength: 120 }),
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constantFrom(null, undefined),
  ],
  key: fc.oneof(fc.string(), fc.constantFrom("10", "9", "a", "b", "__proto__", "toJSON")),
  maxDepth: 4,
  withNullPrototype: true,
});

describe("canonical JSON", () => {
  it("is JSON with its keys in order, for anything that JSON can say", () => {
    fc.assert(
      fc.property(any, (value) => {
        expect(canonicalJson(value)).toBe(plainly(value));
      }),
      { numRuns: 3_000 },
    );
  });

  it("is the same however many keys there are, and in whichever order they came", () => {
    fc.assert(
      fc.property(
        fc
          .uniqueArray(fc.string(), { maxLength: 60 })
          .chain((keys) =>
            fc.tuple(fc.constant(keys), fc.shuffledSubarray(keys, { minLength: keys.length })),
          ),
        ([keys, shuffled]) => {
          const made = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 1]));
          expect(canonicalJson(made(shuffled))).toBe(canonicalJson(made(keys)));
          expect(canonicalJson(made(keys))).toBe(plainly(made(keys)));
        },
      ),
    );
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asJson } from "./as-json.ts";

const again = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

describe("a value as JSON has it", () => {
  it("is what reading it again gives, whatever it is", () => {
    fc.assert(
      fc.property(
        fc.anything({ withNullPrototype: true, withDate: true, withSparseArray: true }),
        (value) => {
          const record = { value };
          let wanted: unknown;
          try {
            wanted = again(record);
          } catch {
            return;
          }
          const made = asJson(record);
          if (made !== undefined) expect(made).toStrictEqual(wanted);
        },
      ),
    );
  });

  it("is made without reading for all that events are made of", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void expect(asJson({ value })).toBeDefined()));
    expect(asJson({ a: undefined, b: [1, null, -0, Number.NaN], c: { d: "e" } })).toStrictEqual({
      b: [1, null, 0, null],
      c: { d: "e" },
    });
  });

  it("shares nothing with it", () => {
    const value = { list: [{ deep: 1 }] };
    const made = asJson(value);
    (value.list[0] as { deep: number }).deep = 2;
    expect(made).toEqual({ list: [{ deep: 1 }] });
  });

  it.each([
    ["a date", { a: new Date(0) }],
    ["its own way to become JSON", { toJSON: () => 1 }],
    ["a name that is no field", JSON.parse('{"__proto__":{"a":1}}') as unknown],
    ["a hole", { a: [undefined] }],
    ["a function", { a: () => {} }],
  ])("is left to JSON where it has %s", (_, value) => {
    expect(asJson(value)).toBeUndefined();
  });
});

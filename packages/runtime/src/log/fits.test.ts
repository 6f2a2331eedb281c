import { EVENTS, EVENT_TYPES } from "@fairlead/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { AWKWARD, changed, valueOf } from "../../test/support/schema-values.ts";
import { fitsOf } from "./fits.ts";

const parses = (schema: z.core.$ZodType, value: unknown): boolean => z.safeParse(schema, value).success;

describe.each(EVENT_TYPES)("data of %s", (type) => {
  const schema = EVENTS[type].data;
  const fits = fitsOf(schema);

  it("fits as it is meant", () => {
    fc.assert(
      fc.property(valueOf(schema), (data) => {
        expect(parses(schema, data)).toBe(true);
        expect(fits(data)).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  it("fits only where it parses, whatever was done to it", () => {
    fc.assert(
      fc.property(changed(valueOf(schema)), (data) => {
        if (fits(data)) expect(parses(schema, data)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});

class Instance {
  text = "of a class";
}
const inheriting: unknown = Object.create({ text: 1 });
const hiding: unknown = Object.defineProperty({}, "text", { value: 1, enumerable: false });
const listless: unknown = Object.setPrototypeOf([], null);
const hole: unknown[] = [];
hole.length = 1;

const VALUES: readonly unknown[] = [
  AWKWARD,
  [new Instance(), inheriting, hiding, listless, hole, [undefined]],
  ["a", "ab", "A", "aA", "\u{1f600}", "\ud83d", "2026-01-01T00:00:00Z", "a@b.example"],
  [1, 2, 2.5, 3, 0.1, 2 ** 53 - 1, -(2 ** 53) + 1, Number.MIN_VALUE],
  [
    { text: "a" },
    { text: undefined },
    { text: null },
    { text: 1 },
    { text: "a", more: 1 },
    { more: 1 },
    { more: { more: {} } },
  ],
  [Object.assign(Object.create(null), { text: "a" }), JSON.parse('{"__proto__":1}')],
  [{ [Symbol("s")]: 1 }, { constructor: 1 }, { kind: "a", text: "a" }, { kind: "b" }, ["a"], ["a", 1]],
].flat();

const text = z.string();
const Nest = z.strictObject({
  text: text.optional(),
  get more() {
    return Nest.optional();
  },
});
const SCHEMAS: Readonly<Record<string, z.core.$ZodType>> = {
  "a strict object": z.strictObject({ text }),
  "a strict object that may be empty": z.strictObject({ text: text.optional() }),
  "a loose object": z.looseObject({ text: text.optional() }),
  "an object that drops what it does not know": z.object({ text }),
  "an object with a rest": z.object({ text: text.optional() }).catchall(z.number()),
  "an object with a name that all objects have": z.object({ constructor: text.optional() }),
  "an object with a symbol": z.object({ [Symbol.iterator]: text }),
  "an object that is refined": z.looseObject({}).refine((value) => "text" in value),
  "a field of unknown kind": z.strictObject({ text: z.unknown() }),
  "a field that may be undefined but must be there": z.object({ text: z.union([text, z.undefined()]) }),
  "a field that may be left out but not be undefined": z.object({ text: text.exactOptional() }),
  "a field that is optional or null": z.object({ text: text.nullish() }),
  "a string": text,
  "a pattern": z.string().regex(/^a/),
  "a pattern that is global": z.string().regex(/a/g),
  "a pattern that is sticky": z.string().regex(/a/y),
  "two patterns": z.string().regex(/a/).regex(/A/),
  "a length, which is of characters": z.string().min(2).max(2),
  "one character": z.string().length(1),
  "what is trimmed first": z.string().trim().min(1),
  "a start": z.string().startsWith("a"),
  "what is encoded": z.string().check(z.base64()),
  "a time": z.iso.datetime(),
  "an address": z.email(),
  "what becomes a string": z.coerce.string(),
  "a number": z.number(),
  "a number with bounds": z.number().min(0).max(2),
  "a number above": z.number().gt(1),
  "a number below": z.number().lt(1),
  "a multiple": z.number().multipleOf(2),
  "an integer": z.int(),
  "an integer by a check": z.number().int(),
  "a small integer": z.int32(),
  "what becomes a number": z.coerce.number(),
  "a boolean": z.boolean(),
  "what becomes a boolean": z.coerce.boolean(),
  "a literal": z.literal("a"),
  zero: z.literal(0),
  null: z.literal(null),
  "one of some": z.enum(["a", "ab"]),
  "a list": z.array(text.optional()),
  "a list with a limit": z.array(z.unknown()).max(1),
  "a record": z.record(z.string(), z.unknown()),
  "a record with names": z.partialRecord(z.enum(["text", "more"]), z.unknown()),
  "one of two": z.union([text, z.number().min(2)]),
  "exactly one of two": z.xor([text, z.literal("a")]),
  "one that a field chooses": z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("a"), text }),
    z.object({ kind: z.literal("b") }),
  ]),
  "one found later": z.lazy(() => z.object({ text })),
  "one that holds itself": Nest,
  "what is refined": z.unknown().refine((value) => value !== undefined),
  anything: z.unknown(),
  nothing: z.never(),
};

/** Fields that are filled when they are not there: whether they fit without is left to parsing. */
const FILLED: typeof SCHEMAS = {
  "a field with a default": z.object({ text: text.default("a") }),
  "a field that is read from another": z.object({ text: z.preprocess((value) => value ?? "a", text) }),
  "a field that is read from another and must be there": z.object({
    text: z.preprocess((value) => value, text),
  }),
};

describe("the verdict without the result", () => {
  it.each(Object.entries({ ...SCHEMAS, ...FILLED }))(
    "is yes only where parsing succeeds: %s",
    (_, schema) => {
      const fits = fitsOf(schema);
      // Twice: a pattern may remember where it was.
      for (const value of [...VALUES, ...VALUES]) if (fits(value)) expect(parses(schema, value)).toBe(true);
    },
  );

  it.each(Object.entries(SCHEMAS))("is yes for all that is plain and can be parsed: %s", (_, schema) => {
    const taken = VALUES.filter((value) => isPlain(value) && parses(schema, value));
    expect(taken.filter((value) => !fitsOf(schema)(value))).toEqual([]);
  });
});

function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

import fc from "fast-check";
import type { z } from "zod";

/** What data goes wrong with: what JSON does not know, and what only looks like what is meant. */
export const AWKWARD: readonly unknown[] = [
  [undefined, null, true, "", "x", " ", 0, -0, -1, 1.5, 101, 2 ** 53, 1e300],
  [Number.NaN, Infinity, -Infinity, 1n, Symbol("s"), () => 1],
  [[], {}, [undefined], [null], [{}], { kind: "none" }, new Date(0), new Map(), Object.create(null)],
].flat();

/** Values that a schema takes, made from its definition. */
export function valueOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const checks = (def.checks ?? []).map((check) => (check as z.core.$ZodChecks)._zod.def);
  switch (def.type) {
    case "object": {
      const fields = Object.entries(def.shape);
      const required = fields.filter(([, field]) => field._zod.optin === undefined).map(([key]) => key);
      const values = fields.map(([key, field]) => [key, valueOf(field)] as const);
      const known = fc.record(Object.fromEntries(values), { requiredKeys: required });
      if (def.catchall?._zod.def.type !== "unknown") return known;
      const more = fc.dictionary(fc.stringMatching(/^more_[a-z]$/), fc.jsonValue(), { maxKeys: 2 });
      return fc.tuple(known, more).map(([data, others]) => ({ ...others, ...data }));
    }
    case "string": {
      const pattern = checks.find((check) => check.check === "string_format")?.pattern;
      return pattern === undefined ? fc.string({ minLength: 1, maxLength: 20 }) : fc.stringMatching(pattern);
    }
    case "number": {
      const bounds = checks.flatMap((check) => ("value" in check ? [Number(check.value)] : []));
      const [min = 0, max = Number.MAX_SAFE_INTEGER] = bounds;
      return "format" in def
        ? fc.integer({ min, max: Math.min(max, 2 ** 31 - 1) })
        : fc.nat(99).map((n) => n + 0.5);
    }
    case "boolean":
      return fc.boolean();
    case "unknown":
      return fc.jsonValue().filter((value) => checks.length === 0 || value !== null);
    case "literal":
      return fc.constantFrom(...def.values);
    case "enum":
      return fc.constantFrom(...Object.values(def.entries));
    case "array":
      return fc.array(valueOf(def.element), { maxLength: 3 });
    case "record":
      return fc.dictionary(fc.string(), valueOf(def.valueType), { maxKeys: 3 });
    case "nullable":
      return fc.option(valueOf(def.innerType));
    case "optional":
      return fc.option(valueOf(def.innerType), { nil: undefined });
    case "default":
      return valueOf(def.innerType);
    case "union":
      return fc.oneof(...def.options.map(valueOf));
    case "pipe":
      return fc.option(valueOf(def.out));
    default:
      throw new Error(`No values are made for a schema of kind ${def.type}.`);
  }
}

/** Values with something done to one place in them: left out, put in, or put in place of what was there. */
export function changed(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const awkward = fc.constantFrom(...AWKWARD);
  return fc
    .tuple(values, fc.nat(), fc.constantFrom("left out", "put in", "put in place"), awkward)
    .map(([value, at, what, other]) => {
      const copy = structuredClone({ value }) as Record<string, unknown>;
      const places = placesIn(copy);
      const [inside, key] = places[at % places.length] as Place;
      const found = inside[key];
      if (what === "left out" && inside !== copy) Reflect.deleteProperty(inside, key);
      else if (what === "put in" && isNested(found)) found["not_there"] = other;
      else inside[key] = other;
      return copy["value"];
    });
}

type Nested = Record<string, unknown>;
type Place = readonly [inside: Nested, key: string];

function placesIn(nested: Nested): readonly Place[] {
  return Object.keys(nested).flatMap((key): readonly Place[] => {
    const found = nested[key];
    return [[nested, key], ...(isNested(found) ? placesIn(found) : [])];
  });
}

function isNested(value: unknown): value is Nested {
  return typeof value === "object" && value !== null;
}

import { Ajv } from "ajv";
import fc from "fast-check";
import { expect, it } from "vitest";
import { checked, short, tool } from "./support.ts";

/** A schema of one argument with values that fit it. */
interface Field {
  readonly schema: Record<string, unknown>;
  readonly value: unknown;
}

const leaf: fc.Arbitrary<Field> = fc.oneof(
  fc.string().map((value) => ({ schema: { type: "string" }, value })),
  fc.integer().map((value) => ({ schema: { type: "integer" }, value })),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => ({ schema: { type: "number" }, value: value + 0 })),
  fc.boolean().map((value) => ({ schema: { type: "boolean" }, value })),
  fc
    .uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 5 })
    .map((values) => ({ schema: { type: "string", enum: values }, value: values[0] })),
  fc
    .integer({ min: 0, max: 9 })
    .map((value) => ({ schema: { type: "integer", minimum: 0, maximum: 9 }, value })),
  fc
    .option(fc.integer())
    .map((value) => ({ schema: { anyOf: [{ type: "integer" }, { type: "null" }] }, value })),
);

const field: fc.Arbitrary<Field> = fc.oneof(
  { weight: 4, arbitrary: leaf },
  {
    weight: 1,
    arbitrary: fc.tuple(leaf, fc.nat(3)).map(([{ schema, value }, count]) => ({
      schema: { type: "array", items: schema },
      value: Array.from({ length: count }, () => value),
    })),
  },
  {
    weight: 1,
    arbitrary: fc.dictionary(name(), leaf, { maxKeys: 3 }).map((fields) => ({
      schema: { type: "object", properties: pick(fields, "schema"), required: Object.keys(fields) },
      value: pick(fields, "value"),
    })),
  },
);

const call = fc.dictionary(name(), field, { maxKeys: 5 }).map((fields) => ({
  schema: { type: "object", properties: pick(fields, "schema"), required: Object.keys(fields) },
  args: pick(fields, "value"),
}));

function name(): fc.Arbitrary<string> {
  return fc.oneof(fc.stringMatching(/^[a-z]{1,8}$/), fc.constantFrom("constructor", "a/b", "a~b", "ä"));
}

function pick<Key extends keyof Field>(fields: Record<string, Field>, key: Key): Record<string, Field[Key]> {
  return Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, one[key]]));
}

const strict = new Ajv({ strict: false, ownProperties: true });
const fits = (schema: object, args: unknown) =>
  strict.compile({ ...schema, additionalProperties: false })(args);

it("lets every right call through unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(call, async ({ schema, args }) => {
      const guarded = await checked(tool("any", schema), args);
      expect(guarded).toMatchObject({ ok: true, call: { repairs: [] } });
      expect(short(guarded)).toEqual(args);
    }),
  );
});

it("never lets a call through that breaks its schema", async () => {
  await fc.assert(
    fc.asyncProperty(
      call,
      fc.dictionary(name(), fc.jsonValue(), { maxKeys: 3 }),
      async ({ schema, args }, other) => {
        const sent = JSON.parse(JSON.stringify({ ...args, ...other })) as object;
        const guarded = await checked(tool("any", schema), sent);
        if (fits(schema, sent)) expect(short(guarded)).toEqual(sent);
        if (guarded.ok) expect(fits(schema, guarded.call.arguments)).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});

const faults: Record<string, (args: Record<string, unknown>, key: string) => Record<string, unknown>> = {
  missing: (args, gone) => Object.fromEntries(Object.entries(args).filter(([one]) => one !== gone)),
  extra: (args) => ({ ...args, NotAnArgument: 1 }),
  text: (args, at) => ({ ...args, [at]: typeof args[at] === "string" ? 1 : String(args[at]) }),
  listed: (args, at) => ({ ...args, [at]: [[args[at]]] }),
  nothing: (args, at) => ({ ...args, [at]: null }),
};

it.each(Object.keys(faults))("stops an injected fault or mends it to what was meant: %s", async (kind) => {
  await fc.assert(
    fc.asyncProperty(call, fc.nat(), async ({ schema, args }, n) => {
      const keys = Object.keys(args);
      fc.pre(keys.length > 0);
      const sent = faults[kind]!(args, keys[n % keys.length]!);
      fc.pre(!fits(schema, sent));
      const guarded = await checked(tool("any", schema), sent);
      if (guarded.ok) expect(short(guarded)).toEqual(args);
      else expect(guarded.faults.length).toBeGreaterThan(0);
    }),
  );
});

it("answers whatever a model sends", async () => {
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    fc.json().map((json) => json.slice(0, -1)),
    fc.string({ unit: fc.constantFrom(..."{}[]\"':,\\/*1a ") }),
  );
  await fc.assert(
    fc.asyncProperty(call, text, async ({ schema }, sent) => {
      const guarded = await checked(tool("any", schema), sent);
      if (guarded.ok) expect(fits(schema, guarded.call.arguments)).toBe(true);
      else expect(guarded.faults[0].error).toMatch(/\.$|\?$/);
    }),
    { numRuns: 500 },
  );
});

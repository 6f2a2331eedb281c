import { expect, it } from "vitest";
import { checked, said, short, tool } from "./support.ts";

const search = tool("search", {
  type: "object",
  properties: {
    query: { type: "string", minLength: 2 },
    limit: { type: "integer", minimum: 1, maximum: 50 },
    ratio: { type: "number" },
    deep: { type: "boolean" },
    order: { enum: ["newest", "Oldest"] },
    since: { type: "string", format: "date" },
    code: { type: "string", pattern: "^[a-z]{3}$" },
    tags: { type: "array", items: { type: "string" } },
    within: { type: "object", properties: { depth: { type: "integer" } }, required: ["depth"] },
  },
  required: ["query"],
});

it("lets a right call through untouched", async () => {
  const args = {
    query: "ab",
    limit: 5,
    ratio: 2,
    deep: false,
    order: "newest",
    since: "2024-02-29",
    code: "abc",
  };
  const guarded = await checked(search, args);
  expect(guarded).toEqual({
    ok: true,
    call: { tool_call_id: "call_1", name: "search", arguments: args, repairs: [] },
  });
});

it.each([
  ["missing", {}, ["missing /query"], `"query" is missing: it is required, a string.`],
  ["type", { query: 7 }, ["type /query"], `"query" must be a string, but 7 came.`],
  [
    "enum",
    { query: "ab", order: "newst" },
    ["enum /order"],
    `"order" must be one of "newest" or "Oldest", but "newst" came. Did you mean "newest"?`,
  ],
  [
    "extra",
    { query: "ab", limt: 3 },
    ["extra /limt"],
    `"limt" is not an argument here. Did you mean "limit"?`,
  ],
  ["range", { query: "ab", limit: 99 }, ["schema /limit"], `"limit" must be <= 50, but 99 came.`],
  [
    "length",
    { query: "a" },
    ["schema /query"],
    `"query" must NOT have fewer than 2 characters, but "a" came.`,
  ],
  [
    "format",
    { query: "ab", since: "2023-02-29" },
    ["schema /since"],
    `"since" must match format "date", but "2023-02-29" came.`,
  ],
  [
    "pattern",
    { query: "ab", code: "ABCD" },
    ["schema /code"],
    `"code" must match pattern "^[a-z]{3}$", but "ABCD" came.`,
  ],
  ["item", { query: "ab", tags: ["a", 1] }, ["type /tags/1"], `"tags.1" must be a string, but 1 came.`],
  [
    "field",
    { query: "ab", within: {} },
    ["missing /within/depth"],
    `"within.depth" is missing: it is required, an integer.`,
  ],
  [
    "prototype",
    '{"query":"ab","__proto__":{"deep":true}}',
    ["extra /__proto__"],
    `"__proto__" is not an argument here.`,
  ],
])("stops a call with a wrong %s and says what would be right", async (_, args, faults, error) => {
  const guarded = await checked(search, args);
  expect(short(guarded)).toEqual(faults);
  expect(said(guarded)[0]).toContain(error);
});

it("tells at most five faults at once, each short", async () => {
  const wrong = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`x${i}`, "y".repeat(9_000)]));
  const errors = said(await checked(search, { ...wrong, order: "z".repeat(9_000) }));
  expect(errors).toHaveLength(5);
  expect(Math.max(...errors.map((error) => error.length))).toBeLessThan(400);
});

it("takes arguments named like what every object has for arguments", async () => {
  const odd = tool("odd", {
    type: "object",
    properties: { constructor: { type: "string" } },
    required: ["constructor"],
  });
  expect(short(await checked(odd, {}))).toEqual(["missing /constructor"]);
  expect(short(await checked(odd, { constructor: "x" }))).toEqual({ constructor: "x" });
});

it("takes a number beyond all numbers for none", async () => {
  expect(short(await checked(search, `{"query":"ab","ratio":1e999}`))).toEqual(["type /ratio"]);
});

it("leaves other arguments to a schema that speaks of them", async () => {
  const open = tool("open", { type: "object", properties: {}, additionalProperties: { type: "integer" } });
  expect(short(await checked(open, { any: 1 }))).toEqual({ any: 1 });
  expect(short(await checked(open, { any: [] }))).toEqual(["type /any"]);
});

it("knows the arguments that choices and references name", async () => {
  const choice = tool("choice", {
    type: "object",
    oneOf: [{ $ref: "#/$defs/byId" }, { properties: { name: { type: "string" } }, required: ["name"] }],
    $defs: { byId: { properties: { id: { type: "integer" } }, required: ["id"] } },
  });
  expect(short(await checked(choice, { id: 1 }))).toEqual({ id: 1 });
  expect(short(await checked(choice, { name: "x" }))).toEqual({ name: "x" });
  expect(short(await checked(choice, { id: 1, other: 1 }))).toEqual(["extra /other"]);
  expect(short(await checked(choice, {}))).toEqual(["missing /id", "missing /name"]);
});

it("explains a choice in one fault", async () => {
  const union = tool("union", {
    type: "object",
    properties: {
      n: { anyOf: [{ type: "integer" }, { type: "null" }] },
      o: {
        anyOf: [
          { type: "object", properties: { a: {} }, required: ["a"] },
          { type: "string", pattern: "^x" },
        ],
      },
    },
  });
  expect(said(await checked(union, { n: "many" }))).toEqual([
    `"n" must be an integer or null, but "many" came.`,
  ]);
  expect(said(await checked(union, { o: "y" }))[0]).toContain(`fits none of its 2 allowed forms`);
  expect(short(await checked(union, { n: null, o: "xy" }))).toEqual({ n: null, o: "xy" });
});

it("reads older schemas", async () => {
  const old = tool("old", {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: { pair: { type: "array", items: [{ type: "string" }, { $ref: "#/definitions/n" }] } },
    definitions: { n: { type: "number" } },
  });
  expect(short(await checked(old, { pair: ["a", 1] }))).toEqual({ pair: ["a", 1] });
  expect(short(await checked(old, { pair: [1, "a"] }))).toEqual(["type /pair/0", "type /pair/1"]);
});

it("keeps two patterns apart", async () => {
  const two = tool("two", {
    type: "object",
    properties: { a: { type: "string", pattern: "^a+$" }, b: { type: "string", pattern: "^b+$" } },
  });
  expect(short(await checked(two, { a: "aa", b: "bb" }))).toEqual({ a: "aa", b: "bb" });
  expect(short(await checked(two, { a: "bb", b: "aa" }))).toEqual(["schema /a", "schema /b"]);
});

it("is not stopped by a pattern that backtracks elsewhere", async () => {
  const trap = tool("trap", { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } });
  expect(short(await checked(trap, { a: `${"a".repeat(50_000)}!` }))).toEqual(["schema /a"]);
});

it.each([
  ["lookahead", { type: "object", properties: { a: { type: "string", pattern: "(?=a)b" } } }],
  ["reference elsewhere", { type: "object", properties: { a: { $ref: "https://example.com/a.json" } } }],
  ["nonsense", { type: "objekt" }],
  ["a promise for an answer", { $async: true, type: "object" }],
  ["no schema", null as never],
])("refuses every call of a tool whose schema cannot be understood: %s", async (_, schema) => {
  const reports: unknown[] = [];
  const bad = tool("bad", schema);
  const report = (one: unknown) => reports.push(one);
  const guarded = await checked(bad, {}, { report });
  expect(short(guarded)).toEqual(["schema"]);
  expect(said(guarded)[0]).toContain(`The tool "bad" cannot be used`);
  expect(reports).toMatchObject([{ tool: "bad", origin: "test" }]);
});

it("does not mix up tools whose schemas have the same id", async () => {
  const of = (type: string) => ({
    $id: "https://example.com/same",
    type: "object",
    properties: { a: { type } },
  });
  const tools = [tool("one", of("string")), tool("two", of("integer"))];
  expect(short(await checked(tools, { a: "x" }, { name: "one" }))).toEqual({ a: "x" });
  expect(short(await checked(tools, { a: "x" }, { name: "two" }))).toEqual(["type /a"]);
});

import fc from "fast-check";
import { expect, it } from "vitest";
import { mendJson } from "../../src/domain/guard/json.ts";
import { checked, said, short, tool } from "./support.ts";

const schema = {
  type: "object",
  properties: {
    n: { type: "number" },
    i: { type: "integer" },
    b: { type: "boolean" },
    s: { type: "string" },
    e: { enum: ["Red", "green", "Blue", "BLUE"] },
    u: { type: ["integer", "boolean", "null"] },
    list: { type: "array", items: { type: "integer" } },
  },
  required: ["s"],
};
const one = tool("paint", schema);

it.each([
  [{ n: "1.50" }, { n: 1.5 }],
  [{ i: "-42" }, { i: -42 }],
  [{ i: "9007199254740991" }, { i: 9_007_199_254_740_991 }],
  [{ b: "true" }, { b: true }],
  [{ e: "RED" }, { e: "Red" }],
  [{ u: "7" }, { u: 7 }],
  [{ u: "false" }, { u: false }],
  [{ list: ["1", 2] }, { list: [1, 2] }],
  [{ i: null, b: null }, {}],
])("mends what has one reading, and says so: %j", async (given, mended) => {
  const guarded = await checked(one, { s: "x", ...given });
  expect(short(guarded)).toEqual({ s: "x", ...mended });
  expect(said(guarded)).toHaveLength(Object.keys(given).length);
});

it("says what was mended", async () => {
  expect(said(await checked(one, { s: "x", i: "42", b: null }))).toEqual([
    `"i" came as "42" and was taken as 42.`,
    `"b" came as null and was left out.`,
  ]);
});

it.each([
  [{ i: "4x" }, "type /i"],
  [{ i: "0x10" }, "type /i"],
  [{ i: "007" }, "type /i"],
  [{ i: " 4" }, "type /i"],
  [{ i: "4.5" }, "type /i"],
  [{ i: 4.5 }, "type /i"],
  [{ i: true }, "type /i"],
  [{ i: [4] }, "type /i"],
  [{ i: "9007199254740993" }, "type /i"],
  [{ n: "0.10000000000000000555" }, "type /n"],
  [{ n: "1e999" }, "type /n"],
  [{ n: "" }, "type /n"],
  [{ b: "yes" }, "type /b"],
  [{ b: 1 }, "type /b"],
  [{ s: 7 }, "type /s"],
  [{ s: null }, "type /s"],
  [{ e: "blue" }, "enum /e"],
  [{ list: 1 }, "type /list"],
  [{ list: [null] }, "type /list/0"],
])("does not guess: %j", async (given, fault) => {
  expect(short(await checked(one, { s: "x", ...given }))).toEqual([fault]);
});

it("mends nothing where something else is wrong, and then tells all of it", async () => {
  expect(short(await checked(one, { i: "42", x: 1 }))).toEqual(["missing /s", "extra /x", "type /i"]);
});

it.each([
  [`{"s": "x",}`, { s: "x" }],
  [`{'s': 'x "y"'}`, { s: 'x "y"' }],
  [`{s: "x", /* why */ b: True, n: None}`, { s: "x", b: true }],
  ['```json\n{"s": "x", "list": [1, 2,]}\n```', { s: "x", list: [1, 2] }],
  [`{"s": "two\nlines"}`, { s: "two\nlines" }],
  [`{"s": "x" "i": 1}`, { s: "x", i: 1 }],
  [`{'s': 'it\\'s'}`, { s: "it's" }],
])("mends JSON that says one thing: %s", async (text, args) => {
  const guarded = await checked(one, text);
  expect(short(guarded)).toEqual(args);
  expect(said(guarded)[0]).toContain("mended");
});

it.each([
  `{"s": "x`,
  `{"s": "x"`,
  `{"s": "x", "list": [1, 2}`,
  `{"s": "x", "i": 12`,
  `{"s": "he said "hi" to me"}`,
  `{"s": "a" + "b"}`,
  `{"s": "C:\\dir"}`,
  `{"s": x}`,
  `{"s": "x", "i": 0x10}`,
  `{"s": "x", "list": [1 2]}`,
  `{"s": "x"} {"s": "y"}`,
  `{"s": "x"} and more`,
  `{"s": undefined}`,
  `[{"s": "x"}]`,
  `"{\\"s\\": \\"x\\"}"`,
  "null",
  "no",
])("does not mend JSON that lost something or says two things: %s", async (text) => {
  expect(short(await checked(one, text))).toEqual(["unparsable"]);
});

it("never completes a call that was cut off", () => {
  const args = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 });
  fc.assert(
    fc.property(args, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (value, share) => {
      const text = JSON.stringify(value);
      const cut = text.slice(0, Math.max(1, Math.floor(text.length * share)));
      expect(mendJson(cut).ok).toBe(false);
    }),
  );
});

it("takes no arguments at all for an empty object where that fits", async () => {
  const none = tool("now", { type: "object", properties: {} });
  expect(short(await checked(none, ""))).toEqual({});
  expect(short(await checked(one, ""))).toEqual(["missing /s"]);
});

it("refuses arguments that nest too deeply for whoever walks them", async () => {
  const any = tool("any", { type: "object", additionalProperties: true });
  expect(short(await checked(any, `{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`))).toEqual(["unparsable"]);
});

import { expect, it } from "vitest";
import type { ToolCheck } from "../../src/ports/tool.ts";
import { checked, said, short, tool } from "./support.ts";

const fetchTool = tool(
  "fetch_page",
  {
    type: "object",
    properties: { url: { type: "string" }, tries: { type: "integer" }, file: { type: "string" } },
  },
  {
    paths: [{ argument: "file" }],
    checks: [
      ({ url }) =>
        url === undefined || String(url).startsWith("https:") ? undefined : `"url" must be https.`,
    ],
  },
);
/** Something wrong for each part. */
const WRONG: Readonly<Record<string, { readonly name?: string; readonly args: string }>> = {
  names: { name: "fetch_pag", args: "{}" },
  json: { args: "{,}" },
  schema: { args: `{"tries": "many"}` },
  coerce: { args: `{"tries": "3"}` },
  paths: { args: `{"file": "/etc/passwd"}` },
  semantics: { args: `{"url": "ftp://x"}` },
};

it.each(["schema", "paths", "semantics"] as const)("without %s only that part is left out", async (part) => {
  for (const [other, wrong] of Object.entries(WRONG)) {
    const { args, name } = wrong;
    const before = await checked(fetchTool, args, { name });
    const after = await checked(fetchTool, args, { name, parts: { [part]: false } });
    // What is not looked at is not mended either.
    if (part === "schema" && other === "coerce") expect(short(after)).toEqual({ tries: "3" });
    else if (part === other) expect([before.ok, after.ok]).toEqual([false, true]);
    else expect(after).toEqual(before);
  }
});

it("mends nothing without the parts that mend", async () => {
  const off = { names: false, json: false, coerce: false };
  expect(short(await checked(fetchTool, "{}", { name: "fetch_pag", parts: off }))).toEqual(["unknown_tool"]);
  expect(short(await checked(fetchTool, `{"tries": 3,}`, { parts: off }))).toEqual(["unparsable"]);
  expect(short(await checked(fetchTool, `{"tries": "3"}`, { parts: off }))).toEqual(["type /tries"]);
  expect(short(await checked(fetchTool, `{"tries": 3}`, { parts: off }))).toEqual({ tries: 3 });
});

it("takes a function in the place of each part", async () => {
  const fault = { kind: "semantic", at: "", error: "Not today." } as const;
  const asked: string[] = [];
  const note = <T>(part: string, answer: T): T => (asked.push(part), answer);
  const guarded = await checked(fetchTool, "tries=3", {
    name: "anything",
    parts: {
      names: (_, [first]) => note("names", { ok: true, value: first! }),
      json: () => note("json", { ok: true, value: { tries: "three" } }),
      schema: (_, { tries }) =>
        note("schema", tries === 3 ? [] : [{ kind: "type", at: "/tries", error: "A number." }]),
      coerce: () =>
        note("coerce", { arguments: { tries: 3 }, repairs: [{ ...fault, error: "Three is 3." }] }),
      paths: () => note("paths", []),
      semantics: () => note("semantics", []),
    },
  });
  expect(short(guarded)).toEqual({ tries: 3 });
  expect(said(guarded)).toEqual(["Three is 3."]);
  expect(asked).toEqual(["names", "json", "schema", "coerce", "schema", "paths", "semantics"]);
});

it("does not trust what was mended before the schema agrees", async () => {
  const coerce = () => ({ arguments: { tries: "still wrong" }, repairs: [] });
  expect(short(await checked(fetchTool, { tries: "x" }, { parts: { coerce } }))).toEqual(["type /tries"]);
});

it("refuses the call when a part breaks", async () => {
  const semantics = () => {
    throw new Error("lost");
  };
  expect((await checked(fetchTool, {}, { parts: { semantics } })).ok).toBe(false);
});

it.each([
  [
    "throws",
    () => {
      throw new Error("no idea");
    },
    "no idea",
  ],
  ["answers false", () => false as never, "no clear answer"],
  ["answers later", async () => undefined, "no clear answer"],
  ["answers nothing said", () => "", "no clear answer"],
])("takes a check that %s for one that does not hold", async (_, check, error) => {
  const odd = tool("odd", { type: "object" }, { checks: [check as unknown as ToolCheck] });
  const guarded = await checked(odd, {});
  expect(short(guarded)).toEqual(["semantic"]);
  expect(said(guarded)[0]).toContain(error);
});

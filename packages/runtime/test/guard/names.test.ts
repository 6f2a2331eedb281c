import fc from "fast-check";
import { expect, it } from "vitest";
import { distanceBetween, isOneTypo } from "../../src/domain/guard/distance.ts";
import type { Tool } from "../../src/ports/tool.ts";
import { checked, said, tool } from "./support.ts";

const none = { type: "object", properties: {} };
const tools = ["read_file", "write_file", "Get.Weather", "resize_v1", "cat", "send_mail", "send_mails"].map(
  (name) => tool(name, none),
);

async function named(name: string, among: readonly Tool[] = tools): Promise<string | undefined> {
  const guarded = await checked(among, {}, { name });
  return guarded.ok ? guarded.call.name : undefined;
}

it.each([
  ["read_fiel", "read_file"],
  ["red_file", "read_file"],
  ["readfile", "read_file"],
  ["READ-FILE", "read_file"],
  ["get_weather", "Get.Weather"],
  ["getWeather", "Get.Weather"],
])("takes %s for the one tool it can be", async (name, meant) => {
  expect(await named(name)).toBe(meant);
  expect(said(await checked(tools, {}, { name }))).toEqual([`"${name}" was taken as "${meant}".`]);
});

it.each([
  ["reed_files", "misspelt_name", `Did you mean "read_file"?`],
  ["resize_v2", "misspelt_name", `Did you mean "resize_v1"?`],
  ["cut", "misspelt_name", `Did you mean "cat"?`],
  ["send-mail_s", "misspelt_name", "Did you mean"],
  ["launch_rockets", "unknown_tool", "The tools are read_file, write_file,"],
  ["constructor", "unknown_tool", "There is no tool"],
  ["", "unknown_tool", "There is no tool"],
])("does not guess at %s", async (name, kind, error) => {
  const guarded = await checked([...tools, tool("sendmails", none)], {}, { name });
  expect(guarded).toMatchObject({ ok: false, faults: [{ kind, at: "" }] });
  expect(said(guarded)[0]).toContain(error);
});

it("spends no time on a name without end", async () => {
  const [error = ""] = said(await checked(tools, {}, { name: "x".repeat(100_000) }));
  expect(error).toMatch(/^There is no tool "x{60}…"\. The tools are/);
});

it("names every tool that it could be", async () => {
  const guarded = await checked(tools, {}, { name: "send_mailx" });
  expect(said(guarded)).toEqual([`There is no tool "send_mailx". Did you mean "send_mail" or "send_mails"?`]);
});

it("knows one typo as the full distance does", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 6 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(isOneTypo(a, b)).toBe(distanceBetween(a, b) === 1);
    }),
    { numRuns: 2_000 },
  );
});

import { describe, expect, it } from "vitest";
import { actionOf } from "../../src/domain/policy/action/action.ts";
import { MOST, newMeter } from "../../src/domain/policy/meter.ts";
import { eventOf } from "./support.ts";

const keys = (count: number, value: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, value]));

/** All that rules could be made to look at. */
function size(payload: unknown): { read: boolean; characters: number; commands: number; spent: number } {
  const meter = newMeter();
  const { text, commands, paths, outside, urls, readable } = actionOf(
    eventOf(payload),
    `/srv/${"w".repeat(200)}`,
    false,
    meter,
  );
  const all = [
    text,
    ...paths,
    ...outside,
    ...urls,
    ...commands.flatMap((c) => [...c.words, ...c.paths, c.input]),
  ];
  const spent = Object.values(MOST).reduce((sum, most) => sum + most, 0);
  return {
    read: readable,
    commands: commands.length,
    characters: all.reduce((sum, one) => sum + one.length, 0),
    spent: spent - Object.values(meter.left).reduce((sum, left) => sum + left, 0),
  };
}

describe("one event costs no more than its budget, whatever is in it", () => {
  const braces = `{${"a,".repeat(60)}b}${"y".repeat(1_800)} `.repeat(30);
  it.each([
    ["many texts of brace words", keys(60, braces)],
    ["many texts of commands", keys(120, `git ${"b".repeat(56)};`.repeat(1_000))],
    ["many paths", { paths: Array.from({ length: 4_000 }, (_, i) => `/a/${"b/".repeat(900)}${i}`) }],
    ["wrappers in wrappers", { command: "sudo ".repeat(13_000) }],
    ["variables that double", { command: `a=${"x".repeat(100)};${"a=$a$a;".repeat(40)} echo $a` }],
    [
      "many here-documents",
      { command: `${"cat <<E |".repeat(40)} cat\n${`${"x".repeat(1_400)}\nE\n`.repeat(40)}` },
    ],
    ["many names in a long directory", { command: `cd /${"d".repeat(30_000)}; cat ${"a ".repeat(15_000)}` }],
    ["short paths in a deep directory", { paths: Array.from({ length: 4_900 }, (_, i) => `${i}`) }],
  ])("%s", (_, given) => {
    const { read, commands, characters } = size({ tool_name: "shell", arguments: given });
    expect(read).toBe(false);
    expect(commands).toBeLessThanOrEqual(MOST.commands);
    expect(characters).toBeLessThanOrEqual(2 * (MOST.strings + MOST.text + MOST.made));
  });
  it("ordinary actions are far from it", () => {
    const payload = { tool_name: "shell", arguments: { command: "cat src/{a,b}.ts | grep x && npm test" } };
    expect(size(payload)).toMatchObject({ read: true });
    expect(size(payload).spent).toBeLessThan(2_000);
    const large = { tool_name: "write_file", arguments: { path: "a.txt", content: "x ".repeat(1_000_000) } };
    expect(size(large)).toMatchObject({ read: true });
  });
});

import { expect, test } from "vitest";
import { shownParts } from "../src/questions/model.ts";

test("effect, kind and where it comes from are said beside the arguments, and nothing odd is hidden", () => {
  const parts = shownParts({
    tool: "shell",
    from: "mcp:files",
    kind: "command",
    effect: "once",
    risk: "high",
    arguments: { command: "rm -rf build" },
    reason: "It changes something.",
    preview_hash: "abc",
    environment: { TOKEN: "***" },
  });
  expect(parts.args).toEqual({ command: "rm -rf build" });
  expect(parts.facts).toEqual([
    ["from", "mcp:files"],
    ["kind", "command"],
    ["effect", "once: not to be repeated"],
    ["risk", "high"],
  ]);
  expect(parts.rest).toEqual({ environment: { TOKEN: "***" } });
});

test("what has no arguments is shown whole", () => {
  expect(shownParts({ prompt: "Go", effect: "once" })).toMatchObject({
    args: null,
    facts: [],
    rest: { prompt: "Go", effect: "once" },
  });
  expect(shownParts("plain")).toMatchObject({ rest: "plain", args: null });
  expect(shownParts(null)).toMatchObject({ rest: null });
});

test("options that can be answered are told apart from what is only shown", () => {
  const { options, rest } = shownParts({ arguments: {}, options: ["yes", { outcome: "x", label: "X" }, 7] });
  expect(options.map(({ label }) => label)).toEqual(["yes", "X"]);
  expect(rest).toBe(null);
});

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { SCENARIO_NAMES } from "./scenarios.ts";

const SCRIPT = fileURLToPath(new URL("../../scripts/chaos.ts", import.meta.url));

function chaos(...args: readonly string[]) {
  return spawnSync(process.execPath, [SCRIPT, ...args], { encoding: "utf8" });
}

it("npm run chaos says what it can do", () => {
  const { status, stdout } = chaos("--help");
  expect(status).toBe(0);
  for (const name of SCENARIO_NAMES) expect(stdout).toContain(name);
});

it.each([
  ["a scenario", ["--scenario", "tool"], "--scenario tool: there is no such one."],
  ["a store", ["--store", "memory"], "--store memory: there is no such one."],
  ["a number", ["--together", "0"], "--together is a whole number"],
  ["an option", ["--fast"], "--fast"],
])("npm run chaos refuses %s that it does not know, and plays nothing", (_, args, why) => {
  const { status, stdout, stderr } = chaos(...args);
  expect(status).toBe(2);
  expect(stdout).toBe("");
  expect(stderr).toContain(why);
});

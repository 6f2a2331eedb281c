import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test("what is derived from the contract is up to date (if not: npm run generate)", () => {
  const script = new URL("../../../scripts/generate.ts", import.meta.url).pathname;
  const run = spawnSync(process.execPath, [script, "--check"], { encoding: "utf8" });
  expect(run.stderr).toBe("");
  expect(run.status).toBe(0);
});

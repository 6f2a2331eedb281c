import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { fileOf, runScript } from "./run.ts";

describe("the examples", () => {
  it("an agent asks a policy server, and both keep their word", async () => {
    const { code, stdout, stderr } = await runScript("examples/agent.ts");
    expect(stdout).toBe("ls: allow\nrm -rf /: block\n");
    expect(stderr).toContain("demo: session_end");
    expect(code).toBe(0);
  });

  it("a policy server that nobody asked says so", async () => {
    expect((await runScript("examples/policy-server.ts")).code).toBe(1);
  });

  it.each(["agent.ts", "policy-server.ts"])("%s has twenty lines at most", (name) => {
    const lines = readFileSync(fileOf(`examples/${name}`), "utf8")
      .trimEnd()
      .split("\n");
    expect(lines.length).toBeLessThanOrEqual(20);
  });
});

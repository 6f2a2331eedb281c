import { describe, expect, it } from "vitest";

import { fileOf, runScript } from "./run.ts";

const MAIN = "conformance/main.ts";
const CLIENT = `${process.execPath} ${fileOf("test/fixtures/foreign-client.ts")}`;

describe("conformance on the command line", { timeout: 60_000 }, () => {
  it("explains itself", async () => {
    const { code, stdout } = await runScript(MAIN, ["--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain("--client-command");
  });

  it("tests a foreign harness on stdio", async () => {
    const command = `${process.execPath} ${fileOf("examples/policy-server.ts")}`;
    const { code, stdout } = await runScript(MAIN, ["--command", command]);
    expect(stdout.trim().split("\n").at(-1)).toMatch(/^conformant: 239 requirements, \d+ passed, 0 failed/);
    expect(code).toBe(0);
  });

  it("tests a scripted foreign harness with everything", async () => {
    const command = `${process.execPath} ${fileOf("src/conformance/scripted-stdio.ts")} full 1000000`;
    const { code, stdout } = await runScript(MAIN, [
      "--command",
      command,
      "--scripted",
      "--max-message-bytes",
      "1000000",
      "--json",
    ]);
    expect(code).toBe(0);
    const { summary } = JSON.parse(stdout) as { summary: { passed: number; failed: number } };
    expect(summary.failed).toBe(0);
    expect(summary.passed).toBeGreaterThan(200);
  });

  it("fails a program that is no harness", async () => {
    const { code, stdout } = await runScript(MAIN, ["--command", "cat"]);
    expect(code).toBe(1);
    expect(stdout.trim().split("\n").at(-1)).toMatch(/^NOT conformant/);
  });

  it("fails a harness that is not there", async () => {
    const { code } = await runScript(MAIN, ["--url", "http://127.0.0.1:9/ahp"]);
    expect(code).toBe(1);
  });

  it("watches a foreign client", async () => {
    const { code, stdout } = await runScript(MAIN, ["--client-command", CLIENT, "--transport", "unix"]);
    expect(stdout.trim().split("\n").at(-1)).toMatch(/^conformant: /);
    expect(code).toBe(0);
  });

  it("fails a client that takes anything for an answer", async () => {
    const args = ["--client-command", CLIENT, "--transport", "unix", "--json"];
    const { code, stdout } = await runScript(MAIN, args, { AHP_CARELESS: "1" });
    expect(code).toBe(1);
    const { outcomes } = JSON.parse(stdout) as { outcomes: { id: string; status: string }[] };
    const failed = outcomes.filter(({ status }) => status === "fail").map(({ id }) => id);
    expect(failed).toContain("client:error");
    expect(failed).toContain("client:refuse:pre_action");
  });
});

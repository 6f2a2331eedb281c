import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadConfig } from "../../src/host/config-file.ts";
import { tempDir } from "../supervision/support.ts";

function load(text: string) {
  const cwd = tempDir();
  writeFileSync(join(cwd, "fairlead.yaml"), text);
  return loadConfig({ cwd });
}

describe("supervise, in the configuration file", () => {
  test("says what runs are asked about", () => {
    expect(load("supervise: { planning: false, unsupervised: [pre_prompt] }").supervise).toEqual({
      on: { planning: false },
      unsupervised: ["pre_prompt"],
    });
    expect(load("redact: []").supervise).toEqual({ on: {}, unsupervised: [] });
    expect(loadConfig({ cwd: tempDir() }).supervise).toEqual({ on: {}, unsupervised: [] });
  });

  test.each([
    [
      "supervise:\n  pre_action: false",
      /fairlead\.yaml:2:15: supervise\.pre_action: .*supervise\.unsupervised/,
    ],
    ["supervise:\n  planing: true", /fairlead\.yaml:\d+:\d+: supervise: .*planing/],
    ["supervise:\n  unsupervised: [idle]", /fairlead\.yaml:2:18: supervise\.unsupervised\.0/],
  ])("%j is refused, with its place", (text, message) => {
    expect(() => load(text)).toThrow(message);
  });

  test("the example for users is a configuration", () => {
    const page = readFileSync(new URL("../../../../docs/harness.md", import.meta.url), "utf8");
    const example = /## Configuration[^]*?```yaml\n([^]*?)```/.exec(page)?.[1] ?? "";
    expect(load(example).supervise).toEqual({
      on: { planning: false, confirmation: true },
      unsupervised: [],
    });
  });
});

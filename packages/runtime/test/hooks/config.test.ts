import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { fits } from "../../src/domain/hooks/matching.ts";
import { type FileConfig, loadConfig } from "../../src/host/config-file.ts";

function hooksOf(yaml: string): FileConfig["hooks"] {
  const cwd = mkdtempSync(join(tmpdir(), "fairlead-config-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  writeFileSync(join(cwd, "fairlead.yaml"), yaml);
  return loadConfig({ cwd }).hooks;
}

describe("hooks in the configuration", () => {
  it("are none unless it says so", () => {
    expect(hooksOf("redact: []\n")).toEqual([]);
  });

  it("are read with their defaults, in their order", () => {
    const hooks = hooksOf(`
hooks:
  - name: no-force-push
    on: before_tool
    tools: [shell, "github__*"]
    command: [./hooks/no-force-push.sh, --strict]
    blocking: true
    timeout_ms: 2000
  - { name: tests, on: turn_end, module: ./hooks/tests.ts }
`);
    expect(hooks).toEqual([
      {
        name: "no-force-push",
        on: "before_tool",
        tools: ["shell", "github__*"],
        command: ["./hooks/no-force-push.sh", "--strict"],
        blocking: true,
        timeout_ms: 2_000,
      },
      { name: "tests", on: "turn_end", module: "./hooks/tests.ts", blocking: false, timeout_ms: 10_000 },
    ]);
  });

  const good = "name: a, on: before_tool, command: [x]";
  it.each([
    ["a hook that is none", "hooks: [yes]", "hooks.0"],
    ["no list", "hooks: { a: 1 }", "hooks"],
    ["no name", "hooks: [{ on: turn_end, command: [x] }]", "hooks.0.name"],
    ["a bad name", "hooks: [{ name: 'A b', on: turn_end, command: [x] }]", "hooks.0.name"],
    ["no such point", "hooks: [{ name: a, on: sometimes, command: [x] }]", "hooks.0.on"],
    ["nothing to run", "hooks: [{ name: a, on: turn_end }]", "one of them"],
    ["two things to run", "hooks: [{ name: a, on: turn_end, command: [x], module: ./a.ts }]", "one of them"],
    ["an empty command", "hooks: [{ name: a, on: turn_end, command: [] }]", "hooks.0.command"],
    ["a command line", "hooks: [{ name: a, on: turn_end, command: rm -rf }]", "hooks.0.command"],
    ["a NUL character", 'hooks: [{ name: a, on: turn_end, command: ["a\\0b"] }]', "NUL"],
    ["a module that is none", "hooks: [{ name: a, on: turn_end, module: ./a.sh }]", "hooks.0.module"],
    ["tools of a turn", "hooks: [{ name: a, on: turn_end, tools: [shell], command: [x] }]", "hooks.0.tools"],
    ["no tools", `hooks: [{ ${good}, tools: [] }]`, "hooks.0.tools"],
    ["a pattern of arguments", `hooks: [{ ${good}, tools: ["shell: rm *"] }]`, "hooks.0.tools.0"],
    ["no time", `hooks: [{ ${good}, timeout_ms: 0 }]`, "hooks.0.timeout_ms"],
    ["too much time", `hooks: [{ ${good}, timeout_ms: 600001 }]`, "hooks.0.timeout_ms"],
    ["perhaps", `hooks: [{ ${good}, blocking: perhaps }]`, "hooks.0.blocking"],
    ["a word that nobody knows", `hooks: [{ ${good}, block: true }]`, "hooks.0"],
    ["two of one name", `hooks: [{ ${good} }, { ${good} }]`, "two hooks a"],
  ])("with %s are refused, with the place", (_, yaml, said) => {
    expect(() => hooksOf(`${yaml}\n`)).toThrow(/fairlead\.yaml:\d+:\d+: /);
    expect(() => hooksOf(`${yaml}\n`)).toThrow(said);
  });
});

describe("a pattern of names", () => {
  it.each([
    ["shell", "shell", true],
    ["shell", "shell2", false],
    ["*", "anything", true],
    ["github__*", "github__push", true],
    ["github__*", "gitlab__push", false],
    ["*_file", "write_file", true],
    ["a*a", "a", false],
    ["a*a", "aa", true],
    ["a*b*c", "axxbxxc", true],
    ["a*b*c", "axxcxxb", false],
    ["**", "", true],
    ["Shell", "shell", false],
    ["s.ell", "shell", false],
  ])("%s for %s: %s", (pattern, name, expected) => {
    expect(fits(pattern, name)).toBe(expected);
  });
});

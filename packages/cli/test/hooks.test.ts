import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HookRow } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import { keepScreen, noTerminal, openPane } from "./chat/pane.ts";
import { background, call, callJson, cli, makePlace, type Place } from "./support.ts";

const CONFIG = `hooks:
  - name: guard
    on: turn_start
    command: [./guard.sh, --strict]
    blocking: true
  - { name: notes, on: turn_end, module: ./notes.ts }
`;

/** A workspace with one hook that blocks, and one whose file is missing. */
function withHooks(config = CONFIG): Place {
  const place = makePlace();
  writeFileSync(join(place.cwd, "fairlead.yaml"), config);
  guard(place, "touch hooked");
  return place;
}

function guard(place: Place, line: string): void {
  const file = join(place.cwd, "guard.sh");
  writeFileSync(file, `#!/bin/sh\n${line}\n`);
  chmodSync(file, 0o755);
}

async function hookOf(place: Place, name = "guard"): Promise<HookRow> {
  const { rows } = await callJson<{ rows: HookRow[] }>(place, ["hooks"]);
  const row = rows.find((one) => one.name === name);
  if (row === undefined) throw new Error(`There is no hook ${name}.`);
  return row;
}

describe("fairlead hooks", { timeout: 60_000 }, () => {
  it("lists them with what they are and who trusts them", async () => {
    const place = withHooks();
    const listed = await call(place, ["hooks"]);
    expect(listed.code).toBe(0);
    expect(listed.stdout).toMatch(/^guard\s+turn_start\s+blocking\s+[0-9a-f]{12}\s+never trusted$/m);
    expect(listed.stdout).toMatch(/^notes\s+turn_end\s+-\s+-\s+cannot be run$/m);
    expect(listed.stderr).toContain("notes: There is no file ./notes.ts.");
    const { hash } = await hookOf(place);
    await call(place, ["hooks", "trust", "guard", "--hash", hash as string]);
    expect((await call(place, ["hooks"])).stdout).toMatch(/trusted by tester, /);
    guard(place, "exit 1");
    expect((await call(place, ["hooks"])).stdout).toMatch(/changed since it was trusted by tester, /);
  });

  it("says so where there is none", async () => {
    const { code, stdout, stderr } = await call(makePlace(), ["hooks"]);
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toContain("The configuration has none.");
  });

  it("shows what a hook runs, with control characters made visible", async () => {
    const place = withHooks();
    guard(place, "printf '\u001b[2Jhidden'");
    const { stdout } = await call(place, ["hooks", "show", "guard"]);
    expect(stdout).toContain('["./guard.sh","--strict"]');
    expect(stdout).toContain("#!/bin/sh");
    expect(stdout).not.toContain("\u001b");
    expect(stdout).toContain((await hookOf(place)).hash);
  });

  it("trusts nothing where nobody can be asked, and says how to", async () => {
    const place = withHooks();
    const { code, stdout, stderr } = await call(place, ["hooks", "trust", "guard"]);
    expect(code).toBe(1);
    expect(stdout).toContain("touch hooked");
    const { hash, state } = await hookOf(place);
    expect(stderr).toContain(`hooks trust guard --hash ${hash}`);
    expect(state).toBe("untrusted");
  });

  it("trusts by the hash that was shown, and nothing else", async () => {
    const place = withHooks();
    const { hash } = await hookOf(place);
    guard(place, "touch evil");
    const late = await call(place, ["hooks", "trust", "guard", "--hash", hash as string, "--json"]);
    expect(late.code).toBe(1);
    expect(JSON.parse(late.stderr)).toMatchObject({
      code: "hook_changed",
      hint: expect.stringContaining("hooks show"),
    });
    expect((await hookOf(place)).state).toBe("untrusted");
    const yes = await callJson<HookRow>(place, ["hooks", "trust", "guard", "--yes"]);
    expect(yes).toMatchObject({ state: "trusted", trusted_by: "tester" });
    expect(await callJson(place, ["hooks", "untrust", "guard"])).toEqual({ name: "guard", trusted: false });
    expect((await hookOf(place)).state).toBe("untrusted");
  });

  it.each([
    [["show", "other"], "hook_not_found"],
    [["trust", "other", "--yes"], "hook_not_found"],
    [["untrust", "other"], "hook_not_found"],
    [["trust", "notes", "--yes"], "hook_unusable"],
  ])("refuses %j", async (args, code) => {
    const { code: exit, stderr } = await call(withHooks(), ["hooks", ...args, "--json"]);
    expect([exit, JSON.parse(stderr).code]).toEqual([1, code]);
  });

  it("holds up what is run until a person trusts it", async () => {
    const place = withHooks();
    const before = await cli(place, ["run", "Hello"]);
    expect(before.code).not.toBe(0);
    expect(before.stderr).toContain("Nobody has trusted the hook guard.");
    expect(before.stderr).toContain("The hook guard stopped the turn");
    expect(existsSync(join(place.cwd, "hooked"))).toBe(false);
    await callJson(place, ["hooks", "trust", "guard", "--yes"]);
    const after = await cli(place, ["run", "Hello"]);
    expect([after.code, existsSync(join(place.cwd, "hooked"))]).toEqual([0, true]);
    expect(after.stdout).toContain("Answer to Hello.");
  });

  it("speaks to a server where one runs", async () => {
    const place = withHooks();
    const server = background(place, ["serve", "--port", "0"]);
    await server.until(/Nobody has trusted the hook guard/);
    await server.until(/http:\/\/127\.0\.0\.1:\d+/);
    const trusted = await cli(place, ["hooks", "trust", "guard", "--yes", "--json"]);
    expect(JSON.parse(trusted.stdout)).toMatchObject({ name: "guard", state: "trusted" });
    const listed = await cli(place, ["hooks"]);
    expect(listed.stdout).toMatch(/^guard .*trusted by /m);
    server.child.kill("SIGTERM");
    expect((await server.ended).code).toBe(0);
  });

  it("starts nothing with a configuration that does not read", async () => {
    const place = withHooks("hooks:\n  - { name: guard, on: sometimes, command: [x] }\n");
    const { code, stderr } = await cli(place, ["serve", "--port", "0"]);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/fairlead\.yaml:2:\d+: hooks\.0\.on/);
    expect(existsSync(place.data)).toBe(false);
  });
});

// What it is skipped for is in the name, so that a report says it.
describe.skipIf(noTerminal !== undefined)(
  `fairlead hooks trust in a terminal${noTerminal === undefined ? "" : ` (${noTerminal})`}`,
  { timeout: 90_000 },
  () => {
    it.each([
      ["y", 0, "trusted"],
      ["n", 1, "untrusted"],
      ["", 1, "untrusted"],
    ])("shows it, asks, and takes %j for an answer", async (answer, code, state) => {
      const place = withHooks();
      const pane = openPane(place, ["hooks", "trust", "guard"], { columns: 100, rows: 30 });
      const asked = await pane.until(/Trust guard as shown\? y or n:/);
      expect(asked).toContain("touch hooked");
      if (answer === "y") keepScreen("hooks-trust", pane.screen());
      pane.say(answer);
      expect((await pane.ended()).code).toBe(code);
      expect((await hookOf(place)).state).toBe(state);
    });
  },
);

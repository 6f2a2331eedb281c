import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesOf, type Lab, lab, write } from "./support.ts";

const ORDER = { id: "ws_one", session_id: "ses_one" };

/** A program that leaves a mark when it is run. */
function trap({ home }: Lab): { readonly program: string; readonly sprung: () => boolean } {
  const mark = join(home, "sprung");
  const program = join(home, "trap.sh");
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> ${mark}\ncat 2>/dev/null\nexit 0\n`);
  chmodSync(program, 0o755);
  return { program, sprung: () => existsSync(mark) };
}

const HOOKS = [
  "post-checkout",
  "pre-commit",
  "post-commit",
  "reference-transaction",
  "post-index-change",
  "post-rewrite",
  "fsmonitor-watchman",
  "pre-auto-gc",
];

async function everything(l: Lab): Promise<void> {
  const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
  expect(made.method).toBe("worktree");
  write(made.path, "src/a.txt", "changed");
  write(made.path, "evil.dat", "changed");
  const { ref } = await l.workspaces.snapshot("ws_one");
  await l.workspaces.restore({ id: "ws_two", session_id: "ses_two", from: { workspace_id: "ws_one", ref } });
  const { branch } = await l.workspaces.offer({ id: "ws_one", name: "one", message: "The change" });
  expect(branch).toBe("fairlead/one");
  await l.workspaces.remove("ws_one");
  await l.workspaces.forget("ws_two");
  await kept(l);
}

/** The same for the project itself, and for what is made from it. */
async function kept(l: Lab): Promise<void> {
  const order = { id: "ws_chat", session_id: "ses_chat", source: l.project };
  const from = await l.again({ project: { patienceMs: 60_000 } }).keepProject(order);
  if (from === undefined || "unkept" in from) throw new Error("It was not kept.");
  const made = await l.workspaces.restore({ id: "ws_clone", session_id: "ses_clone", from });
  expect(made.method).toBe("clone");
  write(made.path, "src/a.txt", "changed again");
  write(made.path, "evil.dat", "changed again");
  await l.workspaces.diff(from, await l.workspaces.snapshot(made.id));
  const { branch } = await l.workspaces.offer({ id: made.id, name: "clone", message: "The change" });
  expect(branch).toBe("fairlead/clone");
  await l.workspaces.remove(made.id);
}

describe("nothing that a repository names is run", () => {
  test("hooks", async () => {
    const l = lab();
    const { program, sprung } = trap(l);
    for (const dir of [join(l.project, ".git/hooks"), join(l.home, "hooks")]) {
      mkdirSync(dir, { recursive: true });
      for (const hook of HOOKS) writeFileSync(join(dir, hook), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
    }
    l.git("config", "core.hooksPath", join(l.home, "hooks"));
    await everything(l);
    expect(sprung()).toBe(false);
    // The user's own git would have.
    l.git("checkout", "--quiet", "--detach");
    expect(sprung()).toBe(true);
  });

  test("monitors, filters, drivers, pagers, signers and helpers of its configuration", async () => {
    const l = lab();
    const { program, sprung } = trap(l);
    l.put(".gitattributes", "*.dat filter=evil diff=evil merge=evil\n*.txt diff=evil\n");
    l.put("evil.dat", "data");
    l.git("add", "-A");
    l.git("commit", "--quiet", "-m", "With attributes");
    const settings: readonly (readonly [string, string])[] = [
      ["core.fsmonitor", program],
      ["core.pager", program],
      ["core.editor", program],
      ["core.sshCommand", program],
      ["core.askPass", program],
      ["core.alternateRefsCommand", program],
      ["credential.helper", program],
      ["diff.external", program],
      ["diff.evil.command", program],
      ["diff.evil.textconv", program],
      ["merge.evil.driver", program],
      ["filter.evil.clean", program],
      ["filter.evil.smudge", program],
      ["filter.evil.process", program],
      ["filter.evil.required", "true"],
      ["gpg.program", program],
      ["commit.gpgSign", "true"],
      ["uploadpack.packObjectsHook", program],
      ["alias.read-tree", `!${program}`],
      ["alias.worktree", `!${program}`],
    ];
    for (const [name, value] of settings) l.git("config", name, value);
    l.put("src/a.txt", "dirty\n");
    await everything(l);
    expect(sprung()).toBe(false);
    expect(filesOf(l.project)["evil.dat"]).toBe("data");
    l.put("evil.dat", "changed, so that the user's own git asks the filter");
    expect(() => l.git("add", "evil.dat")).toThrow(/evil/);
    expect(sprung()).toBe(true);
  });

  test("a monitor of a submodule", async () => {
    const l = lab();
    const { program, sprung } = trap(l);
    const library = join(l.home, "library");
    mkdirSync(library);
    l.gitIn(library, "init", "--quiet");
    write(library, "lib.txt", "lib");
    l.gitIn(library, "add", "-A");
    l.gitIn(library, "commit", "--quiet", "-m", "A library");
    l.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "vendor/lib");
    l.git("commit", "--quiet", "-m", "With a submodule");
    l.gitIn(join(l.project, "vendor/lib"), "config", "core.fsmonitor", program);
    write(l.project, "vendor/lib/lib.txt", "changed");
    await everything(l);
    expect(sprung()).toBe(false);
  });

  test("a git of the project's own, and the caller's variables", async () => {
    const l = lab();
    const { program, sprung } = trap(l);
    mkdirSync(join(l.project, "bin"));
    writeFileSync(join(l.project, "bin/git"), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
    const path = `${join(l.project, "bin")}:.:${process.env["PATH"]}`;
    const before = { ...process.env };
    process.env["GIT_DIR"] = join(l.home, "elsewhere");
    process.env["GIT_INDEX_FILE"] = join(l.home, "elsewhere-index");
    try {
      const workspaces = l.again({ env: { PATH: path, HOME: l.home } });
      expect(await workspaces.prepare({ ...ORDER, source: l.project })).toMatchObject({ method: "worktree" });
    } finally {
      delete process.env["GIT_DIR"];
      delete process.env["GIT_INDEX_FILE"];
      Object.assign(process.env, before);
    }
    expect(sprung()).toBe(false);
    expect(existsSync(join(l.home, "elsewhere-index"))).toBe(false);
  });

  test("a repository that names another directory as its checkout is not believed", async () => {
    const l = lab();
    write(l.home, "private.txt", "private");
    l.git("config", "core.worktree", l.home);
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    expect(made.method).toBe("copy");
    expect(Object.keys(filesOf(made.path))).toEqual([".gitignore", "run.sh", "src/a.txt"]);
  });

  test("what the agent writes into its worktree about git is not believed either", async () => {
    const l = lab();
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    const { program, sprung } = trap(l);
    const other = join(l.home, "other");
    mkdirSync(other);
    l.gitIn(other, "init", "--quiet");
    l.gitIn(other, "config", "core.fsmonitor", program);
    writeFileSync(join(made.path, ".git"), `gitdir: ${join(other, ".git")}\n`);
    write(made.path, "src/a.txt", "changed");
    const { branch } = await l.workspaces.offer({ id: "ws_one", name: "one", message: "The change" });
    expect(l.git("show", `${branch}:src/a.txt`)).toBe("changed");
    expect(sprung()).toBe(false);
  });
});

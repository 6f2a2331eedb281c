import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { codeOf } from "../support/world.ts";
import { demand, keep, KEPT, restored } from "./support-project.ts";
import { filesOf, lab, type Lab, link, untouched } from "./support.ts";

/** All that the repository has: also objects that nobody refers to, and worktrees. */
function repositoryOf(l: Lab): unknown {
  const { files: _files, ...rest } = untouched(l);
  return {
    ...rest,
    refs: l.git("for-each-ref"),
    objects: l.git("count-objects", "-v"),
    worktrees: l.git("worktree", "list"),
    own: Object.keys(filesOf(join(l.project, ".git"))).toSorted(),
  };
}

function everyKind(l: Lab): void {
  l.put("src/a.txt", "changed\n");
  l.put("new/deep/b.bin", Buffer.from([0, 255, 10, 13, 0]));
  l.put("tool.sh", "#!/bin/sh\n", 0o755);
  l.put("spaced name ü.txt", "s");
  link(l.project, "to-a", "src/a.txt");
  link(l.project, "out", "/etc/hostname");
}

function secrets(l: Lab): void {
  l.put(".env", "TOKEN=hunter2");
  l.put("app/.env.local", "TOKEN=hunter2");
  l.put("app/server.pem", "hunter2");
  l.put("node_modules/x/index.js", "hunter2");
  l.put(".fairlead/data", "hunter2");
}

describe.each([{ repository: true }, { repository: false }])(
  "a project's files (repository: $repository)",
  (given) => {
    const HOW = given.repository ? "clone" : "copy";

    test("come back as they were, of every kind, in a place of their own", async () => {
      const l = lab({ ...given, project: {} });
      l.put(".gitignore", "ignored/\n*.secret\n");
      l.put("doomed.txt", "d");
      l.put("old-name.txt", "n");
      const first = await keep(l);
      const before = filesOf(l.project);
      everyKind(l);
      rmSync(join(l.project, "doomed.txt"));
      renameSync(join(l.project, "old-name.txt"), join(l.project, "new-name.txt"));
      const second = await keep(l);
      const after = filesOf(l.project);
      l.put("src/a.txt", "later\n");
      secrets(l);
      l.put("ignored/x", "hunter2");
      l.put("y.secret", "hunter2");
      const third = await keep(l);
      expect(new Set([first.ref, second.ref, third.ref]).size).toBe(3);
      expect((await restored(l, first, "ws_one")).files).toEqual(before);
      const { made, files } = await restored(l, second, "ws_two");
      expect(files).toEqual(after);
      expect(made).toMatchObject({ method: HOW, base: second.ref, last: second.ref, source: l.project });
      expect((await restored(l, third, "ws_three")).files).toEqual({ ...after, "src/a.txt": "later\n" });
      const { files: changed } = await l.workspaces.diff(first, second);
      expect(changed.map(({ path, status }) => `${status} ${path}`)).toContain("deleted doomed.txt");
      expect(JSON.stringify(filesOf(join(l.data, "workspaces")))).not.toContain("hunter2");
    });

    test("are the same snapshot while nothing changes, also in another process and for another session", async () => {
      const l = lab({ ...given, project: {} });
      l.put("x.txt", "x");
      const first = await keep(l);
      const again = demand(await l.again().keepProject({ ...KEPT, source: l.project }));
      expect(again).toMatchObject({ ref: first.ref, changed: false });
      const other = { id: "ws_other", session_id: "ses_other", source: l.project };
      expect(demand(await l.workspaces.keepProject(other)).ref).toBe(first.ref);
      expect(
        await codeOf(
          l.workspaces.restore({ id: "ws_b", session_id: "ses_b", from: { ...first, ref: "git:0" } }),
        ),
      ).toBe("snapshot_not_found");
      expect(existsSync(l.workspaces.pathOf("ws_b"))).toBe(false);
    });

    test("of a session that is gone are gone, and what came from them stays whole", async () => {
      const l = lab({ ...given, project: {} });
      l.put("mine.txt", "the only one");
      const kept = await keep(l);
      const { made, files } = await restored(l, kept, "ws_branch");
      expect(await l.workspaces.forget(KEPT.id)).toBe(true);
      expect(existsSync(join(l.data, "workspaces/records", KEPT.id))).toBe(false);
      await l.workspaces.remove(made.id);
      expect(existsSync(made.path)).toBe(false);
      expect(filesOf((await l.workspaces.open(made.id)).path)).toEqual(files);
      expect(await l.workspaces.forget(made.id)).toBe(true);
      expect(filesOf(join(l.data, "workspaces/records"))).toEqual({});
    });

    test("are handed on from branch to branch, and to who works in one", async () => {
      const l = lab({ ...given, project: {} });
      l.put("x.txt", "0");
      const { made } = await restored(l, await keep(l), "ws_branch");
      writeFileSync(join(made.path, "x.txt"), "1");
      const inner = await l.workspaces.keep({ id: "ws_child", session_id: "ses_child", inside: made.id });
      const own = await l.workspaces.snapshot(made.id);
      await l.workspaces.forget(KEPT.id);
      const child = await restored(l, inner, "ws_of_child");
      const leaf = await restored(l, own, "ws_leaf");
      expect([child.files["x.txt"], leaf.files["x.txt"], leaf.made.base]).toEqual(["1", "1", made.base]);
      const { diff } = await l.workspaces.offer({ id: "ws_leaf", name: "ses_leaf", message: "Leaf" });
      expect(diff.files).toMatchObject([{ path: "x.txt", status: "modified" }]);
    });

    test.each([
      ["too_large", { files: 2 }],
      ["too_large", { totalBytes: 10 }],
      ["too_slow", { patienceMs: 0 }],
    ] as const)("are not kept where it is too much: %s %o", async (unkept, project) => {
      const l = lab({ ...given, project });
      for (const name of ["a", "b", "c"]) l.put(name, "0123456789");
      const said = await l.workspaces.keepProject({ ...KEPT, source: l.project });
      expect(said).toMatchObject({
        unkept,
        why: expect.stringMatching(/^(It has more than|To look at all)/),
      });
      expect(await l.workspaces.list()).toEqual([]);
      for (const left of ["objects", "records"])
        expect(filesOf(join(l.data, "workspaces", left))).toEqual({});
    });

    test("are as if never looked at where the look was not finished", async () => {
      const l = lab({ ...given, project: {} });
      l.put("x.txt", "1");
      const half = join(l.data, "workspaces/records", KEPT.id);
      mkdirSync(join(half, "git"), { recursive: true });
      for (const name of ["index", "index.lock", "git/config", "stamps.json"])
        writeFileSync(join(half, name), "half");
      const first = await keep(l);
      writeFileSync(join(half, "index.lock"), "");
      writeFileSync(join(half, "stamps.json.new"), "half");
      l.put("x.txt", "2");
      const second = await keep(l);
      expect((await restored(l, first, "ws_one")).files["x.txt"]).toBe("1");
      expect((await restored(l, second, "ws_two")).files["x.txt"]).toBe("2");
    });
  },
);

describe("the user's repository", () => {
  test("is not written: no object, ref, worktree or index, whatever is kept and restored", async () => {
    const l = lab({ project: {} });
    l.put("staged.txt", "s");
    l.git("add", "staged.txt");
    l.put("half.txt", "h");
    secrets(l);
    const status = l.git("status", "--porcelain");
    const before = repositoryOf(l);
    const first = await keep(l);
    l.put("more.txt", "m");
    const second = await keep(l);
    const { made } = await restored(l, first, "ws_branch");
    writeFileSync(join(made.path, "own.txt"), "o");
    await l.workspaces.snapshot(made.id);
    await l.workspaces.diff(first, second);
    await l.workspaces.remove(made.id);
    await l.workspaces.open(made.id);
    expect(repositoryOf(l)).toEqual(before);
    rmSync(join(l.project, "more.txt"));
    expect(l.git("status", "--porcelain")).toBe(status);
  });

  test("gets the change of a branch where that is offered: a branch on the commit it began with", async () => {
    const l = lab({ project: {} });
    l.put("mine.txt", "not committed");
    const { made } = await restored(l, await keep(l), "ws_branch");
    writeFileSync(join(made.path, "own.txt"), "o");
    const order = { id: made.id, name: "ses_branch", message: "The change" };
    const offer = await l.workspaces.offer(order);
    expect(offer).toMatchObject({ branch: "fairlead/ses_branch", diff: { files: [{ path: "own.txt" }] } });
    expect(l.git("log", "--format=%s", "fairlead/ses_branch").trim().split("\n")).toEqual([
      "The change",
      "The files of the checkout, as they were",
      "The beginning",
    ]);
    expect(l.git("show", "fairlead/ses_branch:own.txt")).toBe("o");
    expect(l.git("fsck", "--no-progress")).toBe("");
    expect(await l.workspaces.offer(order)).toEqual(offer);
  });

  test("is there for the agent to look into, from its own place", async () => {
    const l = lab({ project: {} });
    l.put("mine.txt", "not committed");
    const before = repositoryOf(l);
    const { made } = await restored(l, await keep(l), "ws_branch");
    expect(l.gitIn(made.path, "status", "--porcelain")).toBe("");
    expect(l.gitIn(made.path, "log", "--format=%s").trim().split("\n").at(-1)).toBe("The beginning");
    writeFileSync(join(made.path, "src/a.txt"), "x");
    expect(l.gitIn(made.path, "status", "--porcelain").trim()).toBe("M src/a.txt");
    l.gitIn(made.path, "commit", "--quiet", "-a", "-m", "Mine");
    expect(repositoryOf(l)).toEqual(before);
  });

  test("around a project that is a folder of it is read whole", async () => {
    const l = lab({ project: {} });
    l.put("inner/x.txt", "x");
    const source = join(l.project, "inner");
    const kept = demand(await l.workspaces.keepProject({ ...KEPT, source }));
    const { made, files } = await restored(l, kept, "ws_branch");
    expect([dirname(made.path), files]).toEqual([l.workspaces.pathOf("ws_branch"), { "x.txt": "x" }]);
  });
});

test("nothing is kept where nobody wants it", async () => {
  const l = lab();
  expect(await l.workspaces.keepProject({ ...KEPT, source: l.project })).toBeUndefined();
  expect(existsSync(join(l.data, "workspaces"))).toBe(false);
});

describe("what a process leaves that was killed while it made a place", () => {
  test("is taken away when it is old, and nothing that is known or not ours", async () => {
    const l = lab({ project: {} });
    const { made } = await restored(l, await keep(l), "ws_branch");
    const places = dirname(made.path);
    const records = join(l.data, "workspaces/records");
    for (const dir of [places, records])
      for (const name of ["ws_half", "ws_young", "other.dir"]) mkdirSync(join(dir, name));
    const old = new Date(Date.now() - 48 * 3_600_000);
    for (const dir of [places, records])
      for (const name of ["ws_half", "ws_branch", "other.dir"]) utimesSync(join(dir, name), old, old);
    expect(await l.workspaces.tidy()).toBe(2);
    for (const dir of [places, records]) {
      expect([dir, existsSync(join(dir, "ws_half"))]).toEqual([dir, false]);
      for (const name of ["ws_young", "ws_branch", "other.dir"])
        expect(existsSync(join(dir, name))).toBe(true);
    }
    expect(filesOf(made.path)).toEqual(filesOf(l.project));
  });

  test("is taken out of the repository too", async () => {
    const l = lab();
    l.put("wip.txt", "uncommitted");
    const order = { session_id: "ses_one", source: l.project };
    const known = await l.workspaces.prepare({ ...order, id: "ws_known" });
    const from = { workspace_id: "ws_known", ref: known.last };
    await l.workspaces.prepare({ ...order, id: "ws_half" });
    await l.workspaces.restore({ id: "ws_branch", session_id: "ses_two", from });
    await l.workspaces.keep({ id: "ws_beside", session_id: "ses_one", inside: "ws_known" });
    const before = untouched(l);
    // As if each had been killed before it was written down.
    for (const id of ["ws_half", "ws_branch", "ws_beside"])
      rmSync(join(l.data, "workspaces/records", id, "workspace.json"));
    expect(await l.workspaces.tidy()).toBe(0);
    await l.again({ clock: { now: () => Date.now() + 48 * 3_600_000 } }).tidy();
    expect(l.git("for-each-ref", "--format=%(refname)", "refs/fairlead")).toBe("refs/fairlead/ws_known\n");
    expect(readdirSync(join(l.project, ".git/worktrees"))).toEqual(["ws_known"]);
    expect(filesOf(known.path)).toEqual(filesOf(l.project));
    expect(untouched(l)).toEqual(before);
  });

  test("is nothing where the files cannot be had", async () => {
    const l = lab({ project: {} });
    l.put("mine.txt", "m");
    const kept = await keep(l);
    const objects = join(l.data, "workspaces/records", KEPT.id, "git/objects");
    for (const name of readdirSync(objects))
      if (name.length === 2) rmSync(join(objects, name), { recursive: true });
    await expect(restored(l, kept, "ws_branch")).rejects.toThrow(/git/);
    expect(existsSync(l.workspaces.pathOf("ws_branch"))).toBe(false);
    expect(existsSync(join(l.data, "workspaces/records/ws_branch"))).toBe(false);
  });
});

import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { codeOf } from "../support/world.ts";
import { filesOf, type Lab, lab, link, untouched, write } from "./support.ts";

const ORDER = { id: "ws_one", session_id: "ses_one" };
const BRANCH = { id: "ws_two", session_id: "ses_two" };

/** A project without a repository. */
function folder(options: Parameters<typeof lab>[0] = {}): Lab {
  const l = lab({ ...options, repository: false });
  l.put("src/a.txt", "one\ntwo\nthree\n");
  l.put("run.sh", "#!/bin/sh\necho hello\n", 0o755);
  l.put(".gitignore", "ignored/\n*.secret\n");
  l.put("ignored/big.txt", "no");
  return l;
}

describe.each([
  ["worktree", lab],
  ["copy", folder],
] as const)("snapshots of a %s", (method, make) => {
  test("bring back the files as they were, at each of them", async () => {
    const l = make();
    const before = method === "worktree" ? untouched(l) : filesOf(l.project);
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    expect(made.method).toBe(method);
    const states: Record<string, string>[] = [];
    const refs: string[] = [];
    const changes = [
      () => write(made.path, "src/a.txt", "one\nTWO\nthree\n"),
      () => write(made.path, "new/b.bin", Buffer.from([0, 1, 2, 255])),
      () => rmSync(join(made.path, "run.sh")),
      () => link(made.path, "link", "/etc/passwd"),
      () => write(made.path, "tool.sh", "#!/bin/sh\n", 0o755),
      () => {
        rmSync(join(made.path, "src"), { recursive: true });
        write(made.path, "src", "now a file");
      },
      () => write(made.path, 'a "b"\nc.txt', "odd"),
    ];
    for (const change of changes) {
      change();
      write(made.path, "ignored/cache", "never");
      const { ref, changed } = await l.workspaces.snapshot("ws_one");
      expect(changed).toBe(true);
      refs.push(ref);
      const { "ignored/cache": _, ...files } = filesOf(made.path);
      states.push(files);
    }
    expect(new Set(refs).size).toBe(changes.length);
    for (const [i, ref] of refs.entries()) {
      const id = `ws_back${i}`;
      const from = { workspace_id: "ws_one", ref };
      const back = await l.workspaces.restore({ id, session_id: `ses_${i}`, from });
      expect(filesOf(back.path)).toEqual(states[i]);
      expect(back).toMatchObject({ method, base: made.base, last: ref, restored_from: from });
    }
    expect(method === "worktree" ? untouched(l) : filesOf(l.project)).toEqual(before);
  });

  test("are one where nothing changed, and survive the process and the files", async () => {
    const l = make();
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    expect(await l.workspaces.snapshot("ws_one")).toMatchObject({ ref: made.base, changed: false });
    write(made.path, "src/a.txt", "changed");
    const { ref } = await l.workspaces.snapshot("ws_one");
    expect(await l.workspaces.snapshot("ws_one")).toMatchObject({ ref, changed: false });
    const files = filesOf(made.path);
    write(made.path, "last.txt", "not in a snapshot yet");
    await l.workspaces.remove("ws_one");
    await l.workspaces.remove("ws_one");
    expect(existsSync(made.path)).toBe(false);
    const later = l.again();
    const branch = await later.restore({ ...BRANCH, from: { workspace_id: "ws_one", ref } });
    expect(filesOf(branch.path)).toEqual(files);
    const open = await later.open("ws_one");
    expect(open).toMatchObject({ path: made.path, state: "ready" });
    expect(filesOf(open.path)).toEqual({ ...files, "last.txt": "not in a snapshot yet" });
    // What was there before is not lost by going on.
    write(open.path, "more.txt", "more");
    await later.snapshot("ws_one");
    await later.restore({ id: "ws_three", session_id: "ses_3", from: { workspace_id: "ws_one", ref } });
  });

  test("come back where somebody deleted the directory", async () => {
    const l = make();
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    write(made.path, "src/a.txt", "changed");
    await l.workspaces.snapshot("ws_one");
    const files = filesOf(made.path);
    rmSync(made.path, { recursive: true });
    expect(await codeOf(l.workspaces.snapshot("ws_one"))).toBe("workspace_unavailable");
    expect(filesOf((await l.workspaces.open("ws_one")).path)).toEqual(files);
  });

  test("that are not there are refused, and nothing is made", async () => {
    const l = make();
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    const bad = [
      { workspace_id: "ws_one", ref: "git:0000000000000000000000000000000000000000" },
      { workspace_id: "ws_one", ref: `tree:${"0".repeat(64)}` },
      { workspace_id: "ws_one", ref: "HEAD" },
      { workspace_id: "ws_one", ref: "--help" },
    ];
    for (const from of bad)
      expect(await codeOf(l.workspaces.restore({ ...BRANCH, from }))).toBe("snapshot_not_found");
    const other = { workspace_id: "ws_none", ref: made.base };
    expect(await codeOf(l.workspaces.restore({ ...BRANCH, from: other }))).toBe("workspace_unavailable");
    for (const id of ["", "../x", "a/b", "x".repeat(200)])
      expect(await codeOf(l.workspaces.prepare({ id, session_id: "s", source: l.project }))).toBe(
        "workspace_unavailable",
      );
    expect(await l.workspaces.list()).toHaveLength(1);
    expect(existsSync(join(l.data, "../places/ws_two"))).toBe(false);
  });

  test("are compared: text, what is not text, and no more than is bearable", async () => {
    const l = make({ limits: { diffBytes: 2_000, diffFiles: 3 } });
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    const base = { workspace_id: "ws_one", ref: made.base };
    write(made.path, "src/a.txt", "one\nTWO\nthree\n");
    write(made.path, "b.bin", Buffer.from([0, 1, 2]));
    rmSync(join(made.path, "run.sh"));
    const first = await l.workspaces.snapshot("ws_one");
    const diff = await l.workspaces.diff(base, first);
    expect(diff.files).toEqual([
      { path: "b.bin", status: "added", added: null, removed: null },
      { path: "run.sh", status: "deleted", added: 0, removed: 2 },
      { path: "src/a.txt", status: "modified", added: 1, removed: 1 },
    ]);
    expect(diff.truncated).toBe(false);
    expect(diff.text).toMatch(/^-two\n\+TWO\n three$/m);
    expect(diff.text).toMatch(/^Binary files \/dev\/null and b\/b\.bin differ$/m);
    expect((await l.workspaces.diff(first, base)).files.map(({ status }) => status)).toEqual([
      "deleted",
      "added",
      "modified",
    ]);
    for (let i = 0; i < 5; i++) write(made.path, `many/${i}.txt`, `${"line\n".repeat(300)}`);
    const second = await l.workspaces.snapshot("ws_one");
    const large = await l.workspaces.diff(base, second);
    expect(large.truncated).toBe(true);
    expect(large.files).toHaveLength(3);
    expect(large.text.length).toBeLessThanOrEqual(2_000);
  });

  test("of a branch and of its parent are kept for as long as one of them needs them", async () => {
    const l = make();
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    write(made.path, "src/a.txt", "changed");
    const { ref } = await l.workspaces.snapshot("ws_one");
    await l.workspaces.restore({ ...BRANCH, from: { workspace_id: "ws_one", ref } });
    expect(await l.workspaces.forget("ws_one")).toBe(false);
    expect(await l.workspaces.forget("ws_two")).toBe(true);
    expect(await l.workspaces.find("ws_two")).toBeUndefined();
    expect(await l.workspaces.forget("ws_one")).toBe(true);
    expect(await l.workspaces.list()).toEqual([]);
    expect(existsSync(made.path)).toBe(false);
    if (method === "worktree") {
      expect(l.git("for-each-ref", "refs/fairlead")).toBe("");
      expect(l.git("worktree", "list").trim().split("\n")).toHaveLength(1);
    }
  });
});

describe("a copy", () => {
  test("is refused where it would be too large, and leaves nothing behind that is in the way", async () => {
    const l = folder({ limits: { totalBytes: 1_000 } });
    l.put("large.txt", "x".repeat(2_000));
    expect(await codeOf(l.workspaces.prepare({ ...ORDER, source: l.project }))).toBe("workspace_too_large");
    rmSync(join(l.project, "large.txt"));
    expect(await l.workspaces.prepare({ ...ORDER, source: l.project })).toMatchObject({ method: "copy" });
  });

  test("notices a change that leaves size and time as they were", async () => {
    const l = folder();
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    write(made.path, "x.txt", "aaaa");
    const first = await l.workspaces.snapshot("ws_one");
    write(made.path, "x.txt", "bbbb");
    const second = await l.workspaces.snapshot("ws_one");
    expect(second.ref).not.toBe(first.ref);
  });

  test("whose store was damaged gives no wrong file", async () => {
    const l = folder();
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    write(made.path, "x.txt", "right");
    const { ref } = await l.workspaces.snapshot("ws_one");
    const { createHash } = await import("node:crypto");
    const name = createHash("sha256").update("right").digest("hex");
    write(join(l.data, "workspaces/objects"), `${name.slice(0, 2)}/${name.slice(2)}`, "wrong");
    expect(await codeOf(l.workspaces.restore({ ...BRANCH, from: { workspace_id: "ws_one", ref } }))).toBe(
      "snapshot_not_found",
    );
    expect(await l.workspaces.find("ws_two")).toBeUndefined();
  });

  test("leaves out what is too large for a file, and says so", async () => {
    const l = folder({ limits: { fileBytes: 100 } });
    l.put("large.bin", Buffer.alloc(200));
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    expect(made.notes).toEqual(['Files that are too large are left out: "large.bin".']);
    expect(existsSync(join(made.path, "large.bin"))).toBe(false);
    expect(readFileSync(join(made.path, "src/a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
  });
});

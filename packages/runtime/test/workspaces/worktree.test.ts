import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesOf, lab, link, untouched, write } from "./support.ts";

const ORDER = { id: "ws_one", session_id: "ses_one" };

describe("a worktree of a repository", () => {
  test("has the files of a clean checkout, and leaves the checkout as it was", async () => {
    const l = lab();
    const before = untouched(l);
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    expect(made).toMatchObject({ id: "ws_one", method: "worktree", source: l.project, notes: [] });
    expect(made.base).toBe(`git:${l.git("rev-parse", "HEAD").trim()}`);
    expect(filesOf(made.path)).toEqual(filesOf(l.project));
    expect(l.gitIn(made.path, "status", "--porcelain")).toBe("");
    expect(l.git("worktree", "list")).toContain(made.path);
    expect(untouched(l)).toEqual(before);
  });

  test("is found again by the next process, and made once", async () => {
    const l = lab();
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    write(made.path, "new.txt", "mine");
    const again = l.again();
    expect(await again.prepare({ ...ORDER, source: l.project })).toEqual(made);
    expect(readFileSync(join(made.path, "new.txt"), "utf8")).toBe("mine");
    expect(await again.list()).toEqual([made]);
    expect(await again.find("ws_none")).toBeUndefined();
  });

  test("carries what is changed, staged, deleted and new, and nothing that is ignored", async () => {
    const l = lab();
    l.put("src/a.txt", "one\nTWO\nthree\n");
    l.put("staged.txt", "staged");
    l.git("add", "staged.txt");
    l.put("staged.txt", "staged, and then changed");
    rmSync(join(l.project, "run.sh"));
    l.put("new/deep.txt", "new");
    l.put("ignored/big.txt", "no");
    l.put("key.secret", "no");
    writeFileSync(join(l.project, ".git/info/exclude"), "private.txt\n");
    l.put("private.txt", "no");
    l.put("everywhere.tmp", "no");
    write(l.home, ".config/git/ignore", "*.tmp\n");
    const before = untouched(l);
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    expect(Object.keys(filesOf(made.path))).toEqual([
      ".gitignore",
      "new/deep.txt",
      "src/a.txt",
      "staged.txt",
    ]);
    expect(filesOf(made.path)["staged.txt"]).toBe("staged, and then changed");
    expect(made.notes).toEqual(["It has the uncommitted changes of the checkout, in a commit of their own."]);
    expect(l.git("rev-parse", `${made.base.slice(4)}^`)).toBe(l.git("rev-parse", "HEAD"));
    expect(untouched(l)).toEqual(before);
  });

  test("is made of a repository without a commit, and of a folder inside of one", async () => {
    const l = lab({ repository: false });
    l.git("init", "--quiet");
    l.put("part/a.txt", "a");
    l.put("b.txt", "b");
    const made = await l.workspaces.prepare({ ...ORDER, source: join(l.project, "part") });
    expect(made.method).toBe("worktree");
    expect(filesOf(made.path)).toEqual({ "a.txt": "a" });
    write(made.path, "a.txt", "changed");
    write(made.path, "../b.txt", "changed too");
    const { diff } = await l.workspaces.offer({ id: "ws_one", name: "one", message: "The change" });
    expect(diff.files.map(({ path }) => path)).toEqual(["b.txt", "part/a.txt"]);
  });

  test("says what of submodules, inner repositories and large files is not in it", async () => {
    const l = lab({ limits: { fileBytes: 1_000 } });
    const inner = join(l.project, "inner");
    mkdirSync(inner);
    l.gitIn(inner, "init", "--quiet");
    write(inner, "theirs.txt", "theirs");
    l.gitIn(inner, "add", "-A");
    l.gitIn(inner, "commit", "--quiet", "-m", "Theirs");
    const library = join(l.home, "library");
    mkdirSync(library);
    l.gitIn(library, "init", "--quiet");
    write(library, "lib.txt", "lib");
    l.gitIn(library, "add", "-A");
    l.gitIn(library, "commit", "--quiet", "-m", "A library");
    l.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "vendor/lib");
    l.git("commit", "--quiet", "-m", "With a submodule");
    l.put("large.bin", Buffer.alloc(2_000));
    const before = untouched(l);
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    expect(made.notes.join("\n")).toMatch(/Submodules are empty directories here: "vendor\/lib"/);
    expect(made.notes.join("\n")).toMatch(/Repositories inside of the project are left out: "inner\/"/);
    expect(made.notes.join("\n")).toMatch(/too large are left out: "large.bin"/);
    expect(Object.keys(filesOf(made.path))).toEqual([".gitignore", ".gitmodules", "run.sh", "src/a.txt"]);
    expect(untouched(l)).toEqual(before);
    // The link to the submodule stays what it was.
    write(made.path, "src/a.txt", "changed");
    const { diff } = await l.workspaces.offer({ id: "ws_one", name: "one", message: "The change" });
    expect(diff.files).toEqual([{ path: "src/a.txt", status: "modified", added: 1, removed: 3 }]);
  });

  test("takes odd names and links as they are, and follows none", async () => {
    const l = lab();
    write(l.home, "outside.txt", "not yours");
    l.put('odd "name"\nwith a break.txt', "odd");
    l.put("ünï.txt", "umlauts");
    link(l.project, "out", join(l.home, "outside.txt"));
    link(l.project, "up", "../../..");
    link(l.project, "dangling", "nowhere");
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    expect(filesOf(made.path)).toEqual(filesOf(l.project));
    expect(filesOf(made.path)["out"]).toBe(`-> ${join(l.home, "outside.txt")}`);
    write(made.path, 'odd "name"\nwith a break.txt', "odder");
    const snapshot = await l.workspaces.snapshot("ws_one");
    const diff = await l.workspaces.diff({ workspace_id: "ws_one", ref: made.base }, snapshot);
    expect(diff.files.map(({ path }) => path)).toEqual(['odd "name"\nwith a break.txt']);
    expect(diff.text.split("\n")[0]).not.toMatch(/name"$/);
  });

  test("never has our own data in it, wherever that lies", async () => {
    const l = lab();
    const data = join(l.project, ".fairlead");
    write(data, "log.sqlite", "ours");
    const inside = l.again({ dir: join(data, "workspaces"), places: join(data, "places"), hidden: [data] });
    const made = await inside.prepare({ ...ORDER, source: l.project });
    expect(Object.keys(filesOf(made.path))).toEqual([".gitignore", "run.sh", "src/a.txt"]);
    write(made.path, "new.txt", "new");
    const second = await inside.prepare({ id: "ws_two", session_id: "ses_two", source: l.project });
    expect(Object.keys(filesOf(second.path))).not.toContain(".fairlead/log.sqlite");
    const snapshot = await inside.snapshot("ws_one");
    const { files } = await inside.diff({ workspace_id: "ws_one", ref: made.base }, snapshot);
    expect(files.map(({ path }) => path)).toEqual(["new.txt"]);
  });

  test.each(["a worktree", "a submodule", "a repository with SHA-256"])("is made of %s", async (what) => {
    const l = lab();
    const place = join(l.home, "other");
    let project = place;
    if (what === "a worktree") l.git("worktree", "add", "--quiet", "-b", "other", place);
    else if (what === "a submodule") {
      mkdirSync(place);
      l.gitIn(place, "init", "--quiet");
      l.gitIn(place, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", l.project, "sub");
      project = join(place, "sub");
    } else {
      mkdirSync(place);
      l.gitIn(place, "init", "--quiet", "--object-format=sha256");
      write(place, "src/a.txt", "one\n");
      l.gitIn(place, "add", "-A");
      l.gitIn(place, "commit", "--quiet", "-m", "The beginning");
    }
    write(project, "wip.txt", "uncommitted");
    const before = [filesOf(project), l.gitIn(project, "status", "--porcelain")];
    const made = await l.workspaces.prepare({ ...ORDER, source: project });
    expect([made.method, filesOf(made.path)]).toEqual(["worktree", filesOf(project)]);
    expect(l.gitIn(made.path, "status", "--porcelain")).toBe("");
    write(made.path, "src/a.txt", "changed");
    const { ref } = await l.workspaces.snapshot("ws_one");
    const from = { workspace_id: "ws_one", ref };
    const back = await l.workspaces.restore({ id: "ws_two", session_id: "ses_two", from });
    expect(filesOf(back.path)).toEqual(filesOf(made.path));
    const { branch } = await l.workspaces.offer({ id: "ws_one", name: "one", message: "The change" });
    expect(l.gitIn(project, "show", `${branch}:src/a.txt`)).toBe("changed");
    expect([filesOf(project), l.gitIn(project, "status", "--porcelain")]).toEqual(before);
  });

  test("leaves what a filter keeps otherwise as the repository has it, and says so", async () => {
    const l = lab();
    l.git("config", "filter.loud.clean", "tr a-z A-Z");
    l.git("config", "filter.loud.smudge", "tr A-Z a-z");
    l.put(".gitattributes", "*.loud filter=loud\n");
    l.put("kept.loud", "quiet");
    l.git("add", "-A");
    l.git("commit", "--quiet", "-m", "With a filter");
    // Neither a change nor a new file of that kind is taken as it lies in the checkout.
    l.put("other.loud", "new");
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    expect(made.base).toBe(`git:${l.git("rev-parse", "HEAD").trim()}`);
    expect(filesOf(made.path)["kept.loud"]).toBe("QUIET");
    expect(made.notes).toEqual([expect.stringMatching(/such as Git LFS, are here as last committed/)]);
    write(made.path, "src/a.txt", "changed");
    const { diff } = await l.workspaces.offer({ id: "ws_one", name: "one", message: "The change" });
    expect(diff.files.map(({ path }) => path)).toEqual(["src/a.txt"]);
  });

  test("comes back elsewhere when our directories were moved", async () => {
    const l = lab();
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    write(made.path, "new.txt", "new");
    await l.workspaces.snapshot("ws_one");
    const moved = l.again({ places: join(l.home, "moved") });
    const open = await moved.open("ws_one");
    expect(open.path).toBe(join(l.home, "moved/ws_one"));
    expect(filesOf(open.path)).toEqual(filesOf(made.path));
    write(open.path, "more.txt", "more");
    const { branch } = await moved.offer({ id: "ws_one", name: "one", message: "The change" });
    expect(l.git("show", `${branch}:more.txt`)).toBe("more");
  });

  test("is kept but for what has no content, such as a pipe in the place of a file", async () => {
    const l = lab();
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    rmSync(join(made.path, "src/a.txt"));
    execFileSync("sh", ["-c", "mkfifo src/a.txt pipe"], { cwd: made.path });
    write(made.path, "new.txt", "new");
    const snapshot = await l.workspaces.snapshot("ws_one");
    expect(snapshot).toMatchObject({ changed: true });
    const { files } = await l.workspaces.diff({ workspace_id: "ws_one", ref: made.base }, snapshot);
    expect(files.map(({ path }) => path)).toContain("new.txt");
    expect(files.map(({ path }) => path)).not.toContain("pipe");
  });

  test("a copy, where git is missing, has failed or ignores the project", async () => {
    const l = lab();
    const nogit = l.again({ env: { PATH: l.home, HOME: l.home } });
    const first = await nogit.prepare({ ...ORDER, source: l.project });
    expect(first).toMatchObject({ method: "copy" });
    expect(first.reason).toBe("git is not installed. Prepared a copy of the project's files.");
    expect(filesOf(first.path)).toEqual(filesOf(l.project));
    l.put("ignored/project/a.txt", "a");
    const second = await l.workspaces.prepare({
      id: "ws_two",
      session_id: "ses_two",
      source: join(l.project, "ignored/project"),
    });
    expect(second).toMatchObject({ method: "copy", reason: expect.stringMatching(/ignores it/) });
    writeFileSync(join(l.project, ".git/HEAD"), "nonsense\n");
    const third = await l.workspaces.prepare({ id: "ws_three", session_id: "ses_3", source: l.project });
    expect(third).toMatchObject({
      method: "copy",
      reason: expect.stringMatching(/no repository that can be used/),
    });
    expect(existsSync(join(third.path, "src/a.txt"))).toBe(true);
  });
});

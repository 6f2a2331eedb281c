import {
  chmodSync,
  existsSync,
  mkdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { KEPT, keep, restored } from "./support-project.ts";
import { filesOf, lab, type Lab } from "./support.ts";

const ownOf = (l: Lab) => join(l.data, "workspaces/records", KEPT.id);

describe("a look after something broke", () => {
  test.each([
    ["the index is empty", (l: Lab) => truncateSync(join(ownOf(l), "index"), 0)],
    ["the index is cut off", (l: Lab) => truncateSync(join(ownOf(l), "index"), 100)],
    ["the index is something else", (l: Lab) => writeFileSync(join(ownOf(l), "index"), "something else")],
    ["what is known of it is cut off", (l: Lab) => writeFileSync(join(ownOf(l), "index.json"), '{"head')],
    ["the store is gone", (l: Lab) => rmSync(join(ownOf(l), "git"), { recursive: true })],
    [
      "the repository dropped what it had",
      (l: Lab) => {
        l.git("commit", "--quiet", "--amend", "-m", "Again");
        l.git("reflog", "expire", "--expire=now", "--all");
        l.git("gc", "--quiet", "--prune=now");
      },
    ],
  ])("is as whole as the first: %s", async (_, breaks) => {
    const l = lab({ project: {} });
    l.put("x.txt", "1");
    await keep(l);
    breaks(l);
    l.put("x.txt", "2");
    const second = await keep(l);
    l.put("x.txt", "3");
    await keep(l);
    const { files } = await restored(l, second, "ws_branch");
    expect(files).toEqual({ ...filesOf(l.project), "x.txt": "2" });
  });

  test("is a copy where the repository is gone, also where there is another later", async () => {
    const l = lab({ project: {} });
    l.put("x.txt", "1");
    await keep(l);
    rmSync(join(l.project, ".git"), { recursive: true });
    l.put("x.txt", "2");
    const second = await restored(l, await keep(l), "ws_two");
    expect([second.made.method, second.files]).toEqual(["copy", filesOf(l.project)]);
    l.git("init", "--quiet");
    l.put("x.txt", "3");
    expect((await restored(l, await keep(l), "ws_three")).files).toEqual(filesOf(l.project));
  });

  test("of a branch's own place goes on too", async () => {
    const l = lab({ project: {} });
    const { made } = await restored(l, await keep(l), "ws_branch");
    writeFileSync(join(made.path, "x.txt"), "1");
    await l.workspaces.snapshot(made.id);
    truncateSync(join(l.data, "workspaces/records", made.id, "index"), 0);
    writeFileSync(join(made.path, "x.txt"), "2");
    const { files } = await restored(l, await l.workspaces.snapshot(made.id), "ws_leaf");
    expect(files).toEqual({ ...filesOf(l.project), "x.txt": "2" });
  });

  test("takes away what git left of objects that it did not finish", async () => {
    const l = lab({ project: {} });
    l.put("x.txt", "1");
    await keep(l);
    const objects = join(ownOf(l), "git/objects");
    mkdirSync(join(objects, "00"), { recursive: true });
    mkdirSync(join(objects, "tmp_objdir-bulk-fsync-x"));
    const left = [join(objects, "00/tmp_obj_half"), join(objects, "tmp_objdir-bulk-fsync-x/half")];
    for (const file of left) writeFileSync(file, "half");
    writeFileSync(join(ownOf(l), "index.look"), "half");
    l.put("x.txt", "2");
    const second = await keep(l);
    expect(left.map((file) => existsSync(file))).toEqual([false, false]);
    expect((await restored(l, second, "ws_branch")).files["x.txt"]).toBe("2");
  });
});

test("what is kept does not need objects of the repository that nothing there refers to", async () => {
  const l = lab({ project: {} });
  l.put("staged.txt", "only staged");
  l.git("add", "staged.txt");
  const object = l.git("rev-parse", ":staged.txt").trim();
  const file = join(l.project, ".git/objects", object.slice(0, 2), object.slice(2));
  const old = new Date(Date.now() - 10_000_000);
  utimesSync(file, old, old);
  const kept = await keep(l);
  expect(statSync(file).mtimeMs).toBe(old.getTime());
  l.git("reset", "--quiet");
  l.git("gc", "--quiet", "--prune=now");
  expect((await restored(l, kept, "ws_branch")).files["staged.txt"]).toBe("only staged");
});

test("line ends stay as they are, whatever the repository says of them", async () => {
  const l = lab({ project: {} });
  l.put("crlf.txt", "a\r\nb\r\n");
  l.git("add", "-A");
  l.git("commit", "--quiet", "-m", "As on another system");
  l.put(".gitattributes", "* text=auto\n");
  l.put("crlf.txt", "a\r\nb\r\nc\r\n");
  l.put("id.txt", "$Id$\n");
  l.put(".gitattributes", "* text=auto\nid.txt ident\n");
  const { files, made } = await restored(l, await keep(l), "ws_branch");
  expect(files).toEqual(filesOf(l.project));
  expect(l.gitIn(made.path, "status", "--porcelain")).toBe("");
});

test("a branch says what of the project is not in it, or is otherwise", async () => {
  const l = lab({ project: { fileBytes: 1_000 } });
  l.put(".gitattributes", "*.bin filter=lfs\n");
  l.put("new.bin", "b");
  l.put(".env", "E=1");
  l.put("huge.dat", "0".repeat(2_000));
  l.put("closed.txt", "c");
  chmodSync(join(l.project, "closed.txt"), 0);
  l.git("init", "--quiet", "inner");
  l.put("inner/x.txt", "x");
  await keep(l);
  const { made } = await restored(l, await keep(l), "ws_branch");
  const said = made.notes.join("\n");
  // Whoever may read everything reads that too.
  const names = [
    "new.bin",
    ".env",
    "huge.dat",
    "inner/",
    ...(process.getuid?.() === 0 ? [] : ["closed.txt"]),
  ];
  for (const name of names) expect(said).toContain(JSON.stringify(name));
  const leaf = await restored(l, { workspace_id: made.id, ref: made.last }, "ws_leaf");
  expect(leaf.made.notes).toEqual(made.notes);
});

test.each(["commit", "nothing"])(
  "what was committed once, and is not any more, is kept whole (on %s)",
  async (stands) => {
    const l = lab({ project: {}, repository: stands === "commit" });
    if (stands === "nothing") l.git("init", "--quiet", "--initial-branch=main");
    const files = { "deep/er/x.txt": "x", "deep/y.txt": "y" };
    for (const [path, text] of Object.entries(files)) l.put(path, text);
    l.git("add", "-A");
    l.git("commit", "--quiet", "-m", "Taken back");
    l.git("update-ref", ...(stands === "commit" ? ["HEAD", "HEAD~1"] : ["-d", "HEAD"]));
    l.git("read-tree", ...(stands === "commit" ? ["HEAD"] : ["--empty"]));
    l.put("more.txt", "m");
    const kept = await keep(l);
    l.git("reflog", "expire", "--expire=now", "--all");
    l.git("gc", "--quiet", "--prune=now");
    expect((await restored(l, kept, "ws_branch")).files).toEqual(filesOf(l.project));
  },
);

import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesOf, lab, type Lab, untouched, write } from "./support.ts";

const ORDER = { id: "ws_one", session_id: "ses_one" };
const SECRET = "hunter2";
const NOTE = expect.stringMatching(/may hold secrets are as last committed, or not here/);

/** Whether any of the objects of the repository has the secret, named by something or not. */
function isInObjects(l: Lab): boolean {
  const all = l.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)");
  const blobs = all.split("\n").flatMap((text) => (text.endsWith(" blob") ? [text.split(" ")[0] ?? ""] : []));
  return blobs.some((blob) => l.git("cat-file", "blob", blob).includes(SECRET));
}

describe("background work begins without what may be secret in the checkout", () => {
  test("which is in no object of the repository, and on no branch", async () => {
    const l = lab();
    l.put(".env", "PORT=1");
    l.put("gone.pem", "committed");
    l.git("add", "-A");
    l.git("commit", "--quiet", "-m", "More");
    l.put(".env", SECRET);
    l.put("deploy/id_rsa", SECRET);
    l.put(".kube/config", SECRET);
    rmSync(join(l.project, "gone.pem"));
    l.put("src/cookies/parse.ts", "code");
    const before = untouched(l);
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    expect(filesOf(made.path)).toEqual({
      ...filesOf(join(l.project)),
      ".env": "PORT=1",
      "gone.pem": "committed",
      "deploy/id_rsa": undefined,
      ".kube/config": undefined,
    });
    expect(made.notes).toContainEqual(NOTE);
    write(made.path, "mine.txt", "m");
    const { branch } = await l.workspaces.offer({ id: "ws_one", name: "one", message: "The change" });
    expect(l.git("diff", "--name-only", "main", String(branch))).toBe("mine.txt\nsrc/cookies/parse.ts\n");
    expect(isInObjects(l)).toBe(false);
    expect({ ...untouched(l), branches: before["branches"] }).toEqual(before);
  });

  test.each([true, false])("nor data of Fairlead's, whoever has it (repository: %s)", async (repository) => {
    const l = lab({ repository });
    for (const path of [".fairlead/fairlead.db", "deep/.fairlead/token"]) l.put(path, SECRET);
    l.put("node_modules/a/test.pem", "for tests");
    l.put("mine.txt", "m");
    if (repository) l.git("add", "deep");
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    const names = Object.keys(filesOf(made.path));
    expect(names).toEqual(expect.arrayContaining(["mine.txt", "node_modules/a/test.pem"]));
    expect(names.filter((name) => name.includes(".fairlead"))).toEqual([]);
    expect(made.notes).not.toContainEqual(NOTE);
  });

  test("nor what is staged of it, whatever the index says of it", async () => {
    const l = lab();
    l.put("both.key", "committed");
    l.put("other.key", "committed");
    l.git("add", "-A");
    l.git("commit", "--quiet", "-m", "More");
    l.put("both.key", SECRET);
    l.put("new.key", SECRET);
    l.git("add", "-A");
    l.put("later.key", SECRET);
    l.git("add", "--intent-to-add", "later.key");
    l.git("rm", "--quiet", "other.key");
    const before = untouched(l);
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    expect(made.method).toBe("worktree");
    expect(made.base).toBe(`git:${l.git("rev-parse", "HEAD").trim()}`);
    expect(filesOf(made.path)).toMatchObject({ "both.key": "committed", "other.key": "committed" });
    expect(Object.keys(filesOf(made.path))).not.toContain("new.key");
    expect(untouched(l)).toEqual(before);
  });

  test("also in the middle of a merge, and before the first commit", async () => {
    const l = lab();
    for (const [branch, text] of [
      ["one", "1"],
      ["two", "2"],
    ] as const) {
      l.git("checkout", "--quiet", "-b", branch, "main");
      l.put("x.key", text);
      l.git("add", "-A");
      l.git("commit", "--quiet", "-m", branch);
    }
    expect(() => l.git("merge", "--quiet", "one")).toThrow(/Command failed/);
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    expect([made.method, filesOf(made.path)["x.key"]]).toEqual(["worktree", "2"]);

    const young = lab({ repository: false });
    young.git("init", "--quiet");
    young.put(".env", SECRET);
    young.put("a.txt", "a");
    young.git("add", "-A");
    const first = await young.workspaces.prepare({ ...ORDER, source: young.project });
    expect([first.method, filesOf(first.path)]).toEqual(["worktree", { "a.txt": "a" }]);
  });

  test("and without a repository it is not in the store either", async () => {
    const l = lab({ repository: false });
    l.put(".env", SECRET);
    l.put("node_modules/cookies/index.js", "code");
    l.put("src/cookies/parse.ts", "code");
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    expect(Object.keys(filesOf(made.path))).toEqual([
      "node_modules/cookies/index.js",
      "src/cookies/parse.ts",
    ]);
    expect(made.notes).toEqual(['Files that may hold secrets are left out: ".env".']);
    expect(Object.values(filesOf(l.data)).join("")).not.toContain(SECRET);
  });

  test("but what the agent itself writes under such a name is its work, and offered", async () => {
    const l = lab();
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    write(made.path, ".env.example", "PORT=");
    const { diff } = await l.workspaces.offer({ id: "ws_one", name: "one", message: "The change" });
    expect(diff.files.map(({ path }) => path)).toEqual([".env.example"]);
  });
});

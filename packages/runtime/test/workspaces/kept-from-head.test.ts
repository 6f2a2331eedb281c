import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { keep, restored } from "./support-project.ts";
import { filesOf, lab, type Lab } from "./support.ts";

const SECRET = "hunter2";

/** What a branch from the last snapshot offers: files that its commits change, beside the agent's own. */
async function offered(l: Lab, id: string) {
  const { made } = await restored(l, await keep(l), id);
  writeFileSync(join(made.path, "own.txt"), "o");
  const name = id.replace("ws_", "ses_");
  const { branch } = await l.workspaces.offer({ id, name, message: "The change" });
  return l.git("diff", "--name-status", "main", String(branch)).trim().split("\n");
}

/** Neither in what is kept, nor in what a branch gets or offers. */
async function demandNowhere(l: Lab, name: string): Promise<void> {
  const { files, made } = await restored(l, await keep(l), "ws_nowhere");
  expect(Object.keys(files)).not.toContain(name);
  expect(await offered(l, "ws_offers")).toEqual(["A\town.txt"]);
  expect(l.gitIn(made.path, "ls-tree", "-r", "--name-only", "HEAD")).not.toContain(name);
}

describe("commits that the user makes while a chat goes on", () => {
  test("are in what is offered, also of files that are not kept", async () => {
    const l = lab({ project: { fileBytes: 1_000 } });
    l.put(".gitattributes", "*.bin filter=lfs\n");
    l.put("x.bin", "v1");
    l.put(".env.sample", "E=1");
    l.git("add", "-A");
    l.git("commit", "--quiet", "-m", "More");
    await keep(l);
    l.put("b.txt", "b");
    await keep(l);
    l.put("x.bin", "v2");
    l.put("y.bin", "new");
    l.put(".env.sample", "E=2");
    l.put(".env.other", "E=3");
    l.put("big.dat", "0".repeat(2_000));
    rmSync(join(l.project, "run.sh"));
    l.git("init", "--quiet", "inner");
    l.gitIn(join(l.project, "inner"), "commit", "--quiet", "--allow-empty", "-m", "Inner");
    l.git("add", "-A");
    l.git("commit", "--quiet", "-m", "The user's work");
    expect(await offered(l, "ws_branch")).toEqual(["A\town.txt"]);
    l.gitIn(join(l.project, "inner"), "commit", "--quiet", "--allow-empty", "-m", "Inner 2");
    l.git("commit", "--quiet", "-a", "-m", "The inner one moves");
    expect(await offered(l, "ws_again")).toEqual(["A\town.txt"]);
  });

  test("are gone from what is kept where they were taken back", async () => {
    const l = lab({ project: {} });
    l.put(".env", SECRET);
    l.git("add", "-f", ".env");
    l.git("commit", "--quiet", "-m", "Too much");
    await keep(l);
    l.git("rm", "--quiet", "--cached", ".env");
    l.git("commit", "--quiet", "--amend", "-m", "Clean", "--allow-empty");
    await demandNowhere(l, ".env");
  });

  test("of another branch are what is kept from then on", async () => {
    const l = lab({ project: {} });
    l.git("checkout", "--quiet", "-b", "other");
    l.put("other.txt", "o");
    l.git("add", "-A");
    l.git("commit", "--quiet", "-m", "Other");
    await keep(l);
    l.git("checkout", "--quiet", "main");
    const { files, made } = await restored(l, await keep(l), "ws_main");
    expect(files).toEqual(filesOf(l.project));
    expect(made.base).toBe(`git:${l.git("rev-parse", "HEAD").trim()}`);
  });
});

describe("neither kept nor offered is", () => {
  test("a secret that is staged and not committed", async () => {
    const l = lab({ project: {} });
    l.put(".env", SECRET);
    l.git("add", "-f", ".env");
    await demandNowhere(l, ".env");
    const object = l.git("rev-parse", ":.env").trim();
    const place = `${object.slice(0, 2)}/${object.slice(2)}`;
    const kept = Object.keys(filesOf(join(l.data, "workspaces")));
    expect(kept.some((file) => file.includes("git/objects/"))).toBe(true);
    expect(kept.filter((file) => file.endsWith(place))).toEqual([]);
  });

  test("what git ignores, staged or not", async () => {
    const l = lab({ project: {} });
    l.put("y.secret", SECRET);
    l.git("add", "-f", "y.secret");
    await demandNowhere(l, "y.secret");
  });

  test.each([
    ["info/exclude of the repository", (l: Lab) => l.put(".git/info/exclude", "dump.sql\n")],
    [
      "the user's own rules",
      (l: Lab) => {
        writeFileSync(join(l.home, "rules"), "dump.sql\n");
        writeFileSync(join(l.home, ".gitconfig"), `[core]\n\texcludesFile = ~/rules\n`);
      },
    ],
    [
      "the user's rules at the usual place",
      (l: Lab) => {
        l.put("../home/.config/git/ignore", "dump.sql\n");
      },
    ],
    [
      "a file that the repository's configuration names",
      (l: Lab) => {
        writeFileSync(join(l.home, "rules"), "dump.sql\n");
        l.git("config", "core.excludesFile", join(l.home, "rules"));
      },
    ],
  ])("what git ignores since the last look, by %s", async (_, ignore) => {
    const l = lab({ project: {} });
    l.put("dump.sql", SECRET);
    const before = await keep(l);
    ignore(l);
    await demandNowhere(l, "dump.sql");
    expect((await restored(l, before, "ws_before")).files["dump.sql"]).toBe(SECRET);
  });

  test("what .gitignore has had since the last look", async () => {
    const l = lab({ project: {} });
    l.put("dump.sql", SECRET);
    await keep(l);
    l.put(".gitignore", "dump.sql\n");
    const { files } = await restored(l, await keep(l), "ws_nowhere");
    expect([files["dump.sql"], files[".gitignore"]]).toEqual([undefined, "dump.sql\n"]);
  });
});

describe("the user's index", () => {
  test.each(["--assume-unchanged", "--skip-worktree"])(
    "does not hide what an agent changes: %s",
    async (flag) => {
      const l = lab({ project: {} });
      l.git("update-index", flag, "src/a.txt");
      await keep(l);
      l.put("src/a.txt", "agent");
      expect((await restored(l, await keep(l), "ws_branch")).files["src/a.txt"]).toBe("agent");
    },
  );

  test.each([[], ["--sparse-index"]])(
    "says what a sparse checkout leaves out, which is not deleted: %s",
    async (...how) => {
      const l = lab({ project: {} });
      l.put("far/away.txt", "a");
      l.git("add", "-A");
      l.git("commit", "--quiet", "-m", "More");
      await keep(l);
      l.git("sparse-checkout", "init", "--cone", ...how);
      l.git("sparse-checkout", "set", "src");
      expect(await offered(l, "ws_branch")).toEqual(["A\town.txt"]);
      const other = { id: "ws_other", session_id: "ses_other", source: l.project };
      expect(await l.workspaces.keepProject(other)).toMatchObject({
        ref: `git:${l.git("rev-parse", "HEAD").trim()}`,
      });
    },
  );
});

test("before the first commit all files are kept, and what is ignored is not", async () => {
  const l = lab({ project: {}, repository: false });
  l.git("init", "--quiet", "--initial-branch=main");
  l.put(".gitignore", "*.secret\n");
  l.put("a.txt", "a");
  l.git("add", "a.txt");
  await keep(l);
  l.put("b.txt", "b");
  const before = filesOf(l.project);
  l.put("x.secret", SECRET);
  const { made, files } = await restored(l, await keep(l), "ws_branch");
  expect([made.method, files]).toEqual(["clone", before]);
});

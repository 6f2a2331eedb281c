import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lab, untouched, write } from "./support.ts";

const ORDER = { id: "ws_one", session_id: "ses_one" };
const OFFER = { id: "ws_one", name: "ses_one", message: "Make it better" };

describe("the change is offered", () => {
  test("as a diff and a branch, and the checkout stays as it was", async () => {
    const l = lab();
    l.put("wip.txt", "the user's own");
    const { branches, ...before } = untouched(l);
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    write(made.path, "src/a.txt", "one\nTWO\nthree\n");
    const offer = await l.workspaces.offer(OFFER);
    expect(offer).toMatchObject({ branch: "fairlead/ses_one", note: null, from: made.base });
    // The user's own uncommitted work is no part of the agent's change, and is not lost from the branch.
    expect(offer.diff.files).toEqual([{ path: "src/a.txt", status: "modified", added: 1, removed: 1 }]);
    expect(l.git("show", "--stat", "--format=%s", "fairlead/ses_one")).toMatch(
      /^Make it better\n\n src\/a.txt/,
    );
    expect(l.git("show", "fairlead/ses_one:wip.txt")).toBe("the user's own");
    expect(l.git("log", "--format=%s", "fairlead/ses_one").trim().split("\n")).toEqual([
      "Make it better",
      "Uncommitted changes in the checkout when the session began",
      "The beginning",
    ]);
    const { branches: after, ...now } = untouched(l);
    expect(now).toEqual(before);
    expect(after).toBe(`refs/heads/fairlead/ses_one ${offer.commit}\n${branches}`);
    // And it can be taken.
    rmSync(join(l.project, "wip.txt"));
    l.git("merge", "--quiet", "fairlead/ses_one");
    expect(l.git("show", "HEAD:src/a.txt")).toBe("one\nTWO\nthree\n");
  });

  test("once for one change, again for another, and nothing for none", async () => {
    const l = lab();
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    expect(await l.workspaces.offer(OFFER)).toMatchObject({ branch: null, note: "Nothing was changed." });
    write(made.path, "b.txt", "b");
    const first = await l.workspaces.offer(OFFER);
    expect(await l.workspaces.offer(OFFER)).toEqual(first);
    write(made.path, "c.txt", "c");
    const second = await l.workspaces.offer(OFFER);
    expect(second.branch).toBe(first.branch);
    expect(l.git("rev-parse", "fairlead/ses_one").trim()).toBe(second.commit);
    expect(l.git("show", "--format=", "--name-only", "fairlead/ses_one")).toBe("b.txt\nc.txt\n");
  });

  test("beside a branch that somebody stands on or has moved", async () => {
    const l = lab();
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    write(made.path, "b.txt", "b");
    await l.workspaces.offer(OFFER);
    l.git("checkout", "--quiet", "fairlead/ses_one");
    write(made.path, "c.txt", "c");
    const standing = untouched(l);
    const second = await l.workspaces.offer(OFFER);
    expect(second.branch).toBe("fairlead/ses_one-2");
    expect({ ...untouched(l), branches: "" }).toEqual({ ...standing, branches: "" });
    l.git("checkout", "--quiet", "main");
    l.git("branch", "--quiet", "-f", "fairlead/ses_one-2", "main");
    write(made.path, "d.txt", "d");
    const third = await l.workspaces.offer(OFFER);
    expect(third.branch).toBe("fairlead/ses_one-3");
    expect(l.git("rev-parse", "fairlead/ses_one-2")).toBe(l.git("rev-parse", "main"));
  });

  test("with the commits that the agent made itself", async () => {
    const l = lab();
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    write(made.path, "b.txt", "b");
    l.gitIn(made.path, "add", "-A");
    l.gitIn(made.path, "commit", "--quiet", "-m", "The agent's own words");
    write(made.path, "c.txt", "c");
    const offer = await l.workspaces.offer(OFFER);
    expect(
      l
        .git("log", "--format=%s", "-2", offer.branch ?? "")
        .trim()
        .split("\n"),
    ).toEqual(["Make it better", "The agent's own words"]);
    expect(offer.diff.files.map(({ path }) => path)).toEqual(["b.txt", "c.txt"]);
  });

  test("as a diff alone where a branch cannot be", async () => {
    const l = lab();
    l.git("branch", "fairlead");
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    write(made.path, "b.txt", "b");
    const offer = await l.workspaces.offer(OFFER);
    expect(offer).toMatchObject({ branch: null, note: expect.stringMatching(/could not be made/) });
    expect(offer.diff.files).toHaveLength(1);
    const folder = lab({ repository: false });
    folder.put("a.txt", "a");
    const copied = await folder.workspaces.prepare({ ...ORDER, source: folder.project });
    write(copied.path, "a.txt", "b");
    expect(await folder.workspaces.offer(OFFER)).toMatchObject({
      branch: null,
      note: "The project has no repository that could hold a branch.",
      diff: { files: [{ path: "a.txt", status: "modified", added: 1, removed: 1 }] },
    });
  });

  test("still when the files are gone, and stays when the workspace goes", async () => {
    const l = lab();
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    write(made.path, "b.txt", "b");
    await l.workspaces.remove("ws_one");
    const { branch } = await l.workspaces.offer(OFFER);
    expect(await l.workspaces.forget("ws_one")).toBe(true);
    l.git("gc", "--quiet", "--prune=now");
    expect(l.git("show", `${branch}:b.txt`)).toBe("b");
  });

  test("and no snapshot is lost when the user tidies up their repository", async () => {
    const l = lab();
    l.put("wip.txt", "staged and then dropped");
    l.git("add", "wip.txt");
    const made = await l.workspaces.prepare({ ...ORDER, source: l.project });
    write(made.path, "b.txt", "b");
    const { ref } = await l.workspaces.snapshot("ws_one");
    await l.workspaces.remove("ws_one");
    l.git("reset", "--quiet", "--hard");
    l.git("reflog", "expire", "--expire=now", "--all");
    l.git("gc", "--quiet", "--prune=now");
    l.git("worktree", "prune");
    const back = await l.workspaces.restore({
      id: "ws_two",
      session_id: "ses_two",
      from: { workspace_id: "ws_one", ref },
    });
    const { readFileSync } = await import("node:fs");
    expect(readFileSync(join(back.path, "wip.txt"), "utf8")).toBe("staged and then dropped");
  });
});

import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { keep, restored } from "./support-project.ts";
import { filesOf, lab, type Lab } from "./support.ts";

function repository(options: Parameters<typeof lab>[0] = {}): Lab {
  const l = lab({ ...options, repository: false });
  l.git("init", "--quiet", "--object-format=sha256", "--initial-branch=main");
  return l;
}

function committed(l: Lab): Lab {
  for (const name of ["a.txt", "b.txt", "c.key"]) l.put(name, name);
  l.git("add", "-A");
  l.git("commit", "--quiet", "-m", "The beginning");
  return l;
}

describe("in a repository whose objects have names of 64 digits", () => {
  test("what is deleted and added is kept so", async () => {
    const l = committed(repository({ project: {} }));
    const whole = await keep(l);
    const before = filesOf(l.project);
    rmSync(join(l.project, "a.txt"));
    l.put("more.txt", "m");
    const later = await keep(l);
    expect((await restored(l, later, "ws_later")).files).toEqual(filesOf(l.project));
    expect((await restored(l, whole, "ws_before")).files).toEqual(before);
  });

  test.each([true, false])("no secret that is staged gets in (after a commit: %s)", async (after) => {
    const l = after ? committed(repository()) : repository();
    l.put("x.txt", "x");
    l.put(".env", "hunter2");
    l.put("c.key", "hunter2");
    l.git("add", "-A");
    const made = await l.workspaces.prepare({ id: "ws_one", session_id: "ses_one", source: l.project });
    expect(made.method).toBe("worktree");
    const plain = { "x.txt": "x" };
    expect(filesOf(made.path)).toEqual(
      after ? { ...plain, "a.txt": "a.txt", "b.txt": "b.txt", "c.key": "c.key" } : plain,
    );
  });
});

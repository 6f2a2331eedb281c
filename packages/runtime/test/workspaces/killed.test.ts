import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { filesOf, type Lab, lab, untouched, write } from "./support.ts";

const CHILD = fileURLToPath(new URL("killed-child.ts", import.meta.url));
const REAL = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();

/** Every call was tried when this was written; one in so many is enough to notice. */
const STEP = Number(process.env["KILL_STEP"] ?? 12);

/** A git that kills whoever called it, after its so manieth call was done. */
function killer({ home }: Lab): {
  readonly path: string;
  readonly calls: () => number;
  aim(at: number): void;
} {
  const bin = join(home, "bin");
  const [count, at] = [join(home, "count"), join(home, "at")];
  mkdirSync(bin);
  const script = [
    "#!/bin/sh",
    // Some calls are made at once: each takes the next number that is free.
    `n=1; while ! mkdir ${count}/$n 2>/dev/null; do n=$((n + 1)); done`,
    `"${REAL}" "$@"; code=$?`,
    `[ $n = $(cat ${at}) ] && kill -9 $PPID`,
    "exit $code",
  ];
  writeFileSync(join(bin, "git"), script.join("\n"), { mode: 0o755 });
  return {
    path: `${bin}:${process.env["PATH"]}`,
    calls: () => readdirSync(count).length,
    aim(n) {
      rmSync(count, { recursive: true, force: true });
      mkdirSync(count);
      writeFileSync(at, String(n));
    },
  };
}

describe("a process that is killed", () => {
  test("at any call of git leaves nothing that is in the way of the next", { timeout: 120_000 }, async () => {
    const l = lab();
    l.put("wip.txt", "uncommitted");
    const { path, calls, aim } = killer(l);
    const run = (id: string) =>
      spawnSync(process.execPath, [CHILD, l.project, l.data, l.home, path, id], { encoding: "utf8" });
    aim(-1);
    const whole = run("ws_whole");
    expect([whole.status, whole.stderr]).toEqual([0, ""]);
    const total = calls();
    const { branches: _, ...before } = untouched(l);
    const expected = filesOf(l.project);
    expect(total).toBeGreaterThan(20);
    for (let n = 2; n <= total; n += STEP) {
      const id = `ws_${n}`;
      aim(n);
      expect(run(id).signal).toBe("SIGKILL");
      const next = l.again();
      const made = await next.prepare({ id, session_id: "ses_one", source: l.project });
      const { "new.txt": __, ...files } = filesOf(made.path);
      expect([n, made.method, files]).toEqual([n, "worktree", expected]);
      write(made.path, "new.txt", "again");
      const { ref } = await next.snapshot(id);
      const from = { workspace_id: id, ref };
      const back = await next.restore({ id: `${id}_c`, session_id: "ses_3", from });
      expect(filesOf(back.path)).toEqual({ ...expected, "new.txt": "again" });
      const { branch } = await next.offer({ id, name: id, message: "The change" });
      expect(l.git("show", `${branch}:new.txt`)).toBe("again");
    }
    const { branches: __, ...after } = untouched(l);
    expect(after).toEqual(before);
  });

  test(
    "at any call of git while it keeps a project has kept nothing by halves",
    { timeout: 120_000 },
    async () => {
      const l = lab({ project: {} });
      const { path, calls, aim } = killer(l);
      const run = (id: string) =>
        spawnSync(process.execPath, [CHILD, l.project, l.data, l.home, path, id], { encoding: "utf8" });
      aim(-1);
      expect(run("ws_kept").status).toBe(0);
      const total = calls();
      expect(total).toBeGreaterThan(10);
      const { files: _, ...before } = untouched(l);
      for (let n = 1; n <= total; n += STEP / 2) {
        const id = `ws_kept_${n}`;
        aim(n);
        expect(run(id).signal).toBe("SIGKILL");
        l.put("wip.txt", `after ${n}`);
        const kept = await l.again().keepProject({ id, session_id: "ses_one", source: l.project });
        if (kept === undefined || "unkept" in kept) throw new Error(`Not kept after ${n}.`);
        const back = await l.again().restore({ id: `ws_back_${n}`, session_id: "ses_two", from: kept });
        expect([n, filesOf(back.path)]).toEqual([n, filesOf(l.project)]);
      }
      const { files: __, ...after } = untouched(l);
      expect(after).toEqual(before);
    },
  );

  test("leaves locks and halves of registrations, which are ours to clear", async () => {
    const l = lab();
    const half = join(l.project, ".git/worktrees/ws_one");
    write(half, "locked", "initializing");
    write(l.project, ".git/refs/fairlead/ws_one.lock", "");
    write(l.data, "../places/ws_one/left.txt", "half");
    write(l.data, "workspaces/records/ws_one/index.lock", "");
    const made = await l.workspaces.prepare({ id: "ws_one", session_id: "s", source: l.project });
    expect([made.method, filesOf(made.path)]).toEqual(["worktree", filesOf(l.project)]);
    expect(existsSync(join(half, "locked"))).toBe(false);
    write(made.path, "new.txt", "new");
    write(l.data, "workspaces/records/ws_one/index.lock", "");
    write(l.project, ".git/refs/fairlead/ws_one.lock", "");
    expect(await l.again().snapshot("ws_one")).toMatchObject({ changed: true });
  });
});

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { ADA } from "../kernel/support.ts";
import { everything } from "../support/world.ts";
import type { Runtime } from "../../src/create-runtime.ts";
import { is } from "../../src/domain/event.ts";
import { workRuntime } from "./killed-work.ts";
import { filesOf, type Lab, lab, untouched } from "./support.ts";

const CHILD = fileURLToPath(new URL("killed-work-child.ts", import.meta.url));
/** One kill in so many events; all of them with KILL_STEP=1. */
const STEP = Number(process.env["KILL_STEP"] ?? 17);

const run = (l: Lab, kill: number, kind = "background") =>
  spawnSync(process.execPath, [CHILD, l.project, l.home, String(kill), kind], { encoding: "utf8" });

/** Another process goes on with what the killed one left, to the end. */
async function goOn<T = undefined>(l: Lab, then?: (runtime: Runtime) => Promise<T>) {
  const runtime = await workRuntime(l.project, l.home);
  try {
    await runtime.start();
    for (let i = 0; i < 2_000; i++) {
      const row = await runtime.services.sessions.get(ADA, "work");
      if (["completed", "failed", "idle"].includes(row.status)) {
        const events = await everything(runtime.log, row.session_id);
        return { row, events, found: await then?.(runtime) };
      }
      await new Promise<void>((resolve) => void setTimeout(resolve, 10));
    }
    throw new Error("it did not end");
  } finally {
    await runtime.stop();
  }
}

describe("background work whose process is killed", () => {
  test("ends the same, in the same place, whenever that was", { timeout: 900_000 }, async () => {
    const whole = run(lab(), Infinity);
    expect([whole.status, whole.stderr]).toEqual([0, ""]);
    const total = Number(whole.stdout);
    expect(total).toBeGreaterThan(20);
    for (let kill = 5; kill < total; kill += STEP) {
      const l = lab();
      const { branches, ...before } = untouched(l);
      expect([kill, run(l, kill).signal]).toEqual([kill, "SIGKILL"]);
      const { row, events } = await goOn(l);
      expect([kill, row.status]).toEqual([kill, "completed"]);
      const { session_id } = row;
      expect(filesOf(String(row.state?.workspace))).toEqual({
        ...filesOf(l.project),
        "one.txt": "1",
        "two.txt": "2",
      });
      expect(l.git("diff", "--name-only", "main", `fairlead/${session_id}`)).toBe("one.txt\ntwo.txt\n");
      // One place, and each call begun and ended once: writing a file again is harmless, and said.
      const notices = events.filter(({ type }) => type === "runtime.sandbox.notice");
      expect(notices).toHaveLength(1);
      expect(l.git("worktree", "list").trim().split("\n")).toHaveLength(2);
      const { branches: after, ...now } = untouched(l);
      expect(now).toEqual(before);
      expect(after).toContain(branches);
    }
  });
});

test(
  "a chat whose process is killed has the files of every place in it all the same",
  { timeout: 900_000 },
  async () => {
    const whole = run(lab(), Infinity, "chat");
    expect([whole.status, whole.stderr]).toEqual([0, ""]);
    const total = Number(whole.stdout);
    expect(total).toBeGreaterThan(15);
    for (let kill = 5; kill < total; kill += STEP) {
      const l = lab();
      const { files, ...before } = untouched(l);
      expect([kill, run(l, kill, "chat").signal]).toEqual([kill, "SIGKILL"]);
      const { found } = await goOn(l, async ({ log, services }) => {
        const all = await everything(log, (await services.sessions.get(ADA, "work")).session_id);
        const filesAt = async (event: (typeof all)[number] | undefined) => {
          const { state } = await services.branches.branch(ADA, "work", { from_event_id: event?.id ?? "" });
          return filesOf(String(state?.workspace));
        };
        const first = all.find((event) => is(event, "agent.tool.batch"));
        const last = all.findLast((event) => is(event, "agent.tool.batch"));
        return [await filesAt(first), await filesAt(last)];
      });
      const mine = files as Record<string, string>;
      expect([kill, found]).toEqual([kill, [mine, { ...mine, "one.txt": "1" }]]);
      const { files: after, ...now } = untouched(l);
      expect(now).toEqual(before);
      expect(after).toEqual({ ...mine, "one.txt": "1", "two.txt": "2" });
    }
  },
);

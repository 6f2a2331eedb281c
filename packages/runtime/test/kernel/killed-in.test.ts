import type { AnyEvent, Requirement } from "@fairlead/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import type { StoreChoice } from "../../src/create-runtime.ts";
import { playIn } from "../crash/play.ts";
import { until } from "../crash/tool-kill-scene.ts";
import { temporaryFolder } from "../stores.ts";
import { freshDatabase } from "../support/postgres.ts";
import { ADMIN, everything } from "../support/world.ts";
import { openKernel, operate, queueWork } from "./kill-scene.ts";

const STORES: readonly [string, (data: string) => Promise<StoreChoice>][] = [
  ["SQLite", async (sqlite) => ({ sqlite })],
  ["PostgreSQL", async () => ({ postgres: await freshDatabase() })],
];

/** What runs must not be repeated: a person is asked about it. */
const WHILE_IT_RUNS = { type: "agent.tool.batch", times: 1 };

function dataOf(events: readonly AnyEvent[], type: string): readonly unknown[] {
  return events.filter((event) => event.type === type).map(({ data }) => data);
}

describe.each(STORES)("a check whose process was killed with -9 while it ran, on %s", (_, choose) => {
  it.each<[Requirement, string]>([
    [{ kind: "tool", tool: "send" }, "needs_review"],
    [{ kind: "rule", rule: "no_failing_tools" }, "failed"],
  ])(
    "is not proven by a person who says that it happened: %o",
    async (requirement, status) => {
      const [data, work] = [temporaryFolder(), temporaryFolder()];
      onTestFinished(() => (data.remove(), work.remove()));
      const store = await choose(data.path);
      const session = await queueWork(store, work.path, "Please check.", { requires: [requirement] });
      const place = { store, workspace: work.path, session, seen: WHILE_IT_RUNS };
      expect(await playIn("../kernel/kill-child.ts", [place], "after")).toEqual(["reached"]);
      const runtime = await openKernel(store, work.path);
      onTestFinished(() => runtime.stop());
      await runtime.start();
      expect(await operate(runtime, session)).toBe("needs_review");
      const events = await everything(runtime.log, session);
      expect(dataOf(events, "runtime.effect.verdict")).toMatchObject([
        { tool_name: "send", verdict: "ask" },
        { tool_name: "send", verdict: "happened" },
      ]);
      expect(dataOf(events, "runtime.verification.reported")).toMatchObject([
        { status: "needs_review", checks: [{ status }] },
      ]);
      expect(dataOf(events, "runtime.execution.contract.failed")).toHaveLength(1);
    },
    60_000,
  );
});

describe("work whose process was killed with -9 while somebody wanted it to wait", () => {
  it("waits, and counts the attempt that was lost", async () => {
    const [data, work] = [temporaryFolder(), temporaryFolder()];
    onTestFinished(() => (data.remove(), work.remove()));
    const store = { sqlite: data.path };
    const session = await queueWork(store, work.path, "Please check.");
    const place = { store, workspace: work.path, session, seen: WHILE_IT_RUNS };
    expect(await playIn("../kernel/kill-child.ts", [place], "after")).toEqual(["reached"]);
    const runtime = await openKernel(store, work.path);
    onTestFinished(() => runtime.stop());
    const { kernel, sessions, turns } = runtime.services;
    await kernel.pause(ADMIN, session, "lunch");
    const paused = await until(
      async () => (await turns.recover(), sessions.get(ADMIN, session)),
      ({ status }) => status === "paused",
    );
    expect(paused.state?.attempt_count).toBe(2);
    expect(await operate(runtime, session)).toBe("completed");
    expect((await sessions.get(ADMIN, session)).state?.attempt_count).toBe(2);
  }, 60_000);
});

describe.each(STORES)("what was asked by work that ended, on %s", (_, choose) => {
  it("is withdrawn in the commit of its end: nobody is asked after a crash", async () => {
    const [data, work] = [temporaryFolder(), temporaryFolder()];
    onTestFinished(() => (data.remove(), work.remove()));
    const store = await choose(data.path);
    const session = await queueWork(store, work.path, "Please check.");
    const place = {
      store,
      workspace: work.path,
      session,
      seen: { type: "runtime.request.failed", times: 1 },
    };
    expect(await playIn("../kernel/kill-asked-child.ts", [place], "after")).toEqual(["reached"]);
    const runtime = await openKernel(store, work.path);
    onTestFinished(() => runtime.stop());
    const { sessions, questions } = runtime.services;
    expect((await sessions.get(ADMIN, session)).status).toBe("failed");
    const { rows } = await questions.list(ADMIN, { session_id: session });
    expect(rows).toMatchObject([{ state: "expired", note: "The turn that asked has ended." }]);
    expect(dataOf(await everything(runtime.log, session), "runtime.question.decided")).toHaveLength(1);
  }, 60_000);
});

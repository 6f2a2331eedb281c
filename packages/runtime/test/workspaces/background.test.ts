import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { HealthyRow, SessionId } from "@fairlead/contract";
import { describe, expect, test } from "vitest";
import type { Step } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { cleanUp } from "../../src/services/workspaces/clean-up.ts";
import { openSqliteStore } from "../../src/stores/sqlite/open.ts";
import { delegate } from "../../src/tools/delegate.ts";
import { ADA, staged } from "../kernel/support.ts";
import { temporaryFolder } from "../stores.ts";
import { everything, handTime } from "../support/world.ts";
import { artifacts, DONE, patiently, put, start, tools, worldOf } from "./support-background.ts";
import { filesOf, lab, untouched } from "./support.ts";

describe("background work that writes", () => {
  test("has on record how a call ended before its files are kept", async () => {
    const l = lab();
    const seen: unknown[] = [];
    const w = worldOf(l, [[put("one.txt", "1")], [DONE]], {
      workspaces: {
        ...l.workspaces,
        async snapshot(id) {
          const session = id.replace("ws_", "ses_") as SessionId;
          const ends = (await everything(w.log, session)).filter(({ type }) => type === "agent.tool.outcome");
          seen.push(ends.map(({ data }) => (data as { status: string }).status));
          return l.workspaces.snapshot(id);
        },
      },
    });
    await patiently(await start(w), "completed");
    // After the wave, and at the end.
    expect(seen).toEqual([["ok"], ["ok"]]);
  });

  test("keeps its files where a process died before it could, before the model is asked again", async () => {
    const l = lab();
    const time = handTime();
    const folder = temporaryFolder();
    const store = openSqliteStore({ dir: folder.path, clock: time.clock });
    const rounds = [[put("one.txt", "1")], [DONE]];
    const stuck = Promise.withResolvers<void>();
    const dies = {
      ...l.workspaces,
      snapshot: () => (stuck.resolve(), new Promise<never>(() => {})),
    };
    // Its clock stands still, so that it does not keep its lease: as one that was killed.
    const first = worldOf(l, rounds, { store, time: handTime(), workspaces: dies });
    const { session } = await start(first);
    await stuck.promise;
    await time.advance(3_600_000);
    const w = worldOf(l, rounds, { store, time, mark: "b" });
    await w.services.turns.recover();
    await patiently(
      staged(w, await w.services.kernel.healthy(await w.services.sessions.get(ADA, session))),
      "completed",
    );
    const all = await everything(w.log, session);
    const types = all.map(({ type }) => type);
    const [, kept] = await artifacts(w, session, "workspace_snapshot");
    expect(types.filter((type) => type === "agent.tool.batch")).toHaveLength(1);
    expect(kept?.seq).toBeGreaterThan(all[types.indexOf("agent.tool.outcome")]?.seq ?? Infinity);
    expect(kept?.seq).toBeLessThan(all[types.lastIndexOf("agent.output.completed")]?.seq ?? 0);
    await w.log.close();
    folder.remove();
  });

  test("does so in a worktree, says so, keeps what was there after each wave, and offers the change", async () => {
    const l = lab();
    const before = untouched(l);
    const w = worldOf(l, [[put("one.txt", "1")], [put("two.txt", "2")], [DONE]]);
    const play = await start(w);
    const row = await patiently(play, "completed");
    const id = play.session.replace("ses_", "ws_");
    expect(row.state).toMatchObject({
      workspace_id: id,
      workspace: l.workspaces.pathOf(id),
      task_graph_id: play.session.replace("ses_", "tg_"),
    });
    expect(await play.data("runtime.sandbox.notice")).toEqual([
      {
        requested_backend: "background_session",
        resolved_backend: "task_workspace",
        isolation: "workspace",
        reason: "Prepared a task workspace for write-capable background work: a git worktree.",
        details: expect.objectContaining({ workspace_id: id, method: "worktree" }),
      },
    ]);
    const snapshots = await artifacts(w, play.session, "workspace_snapshot");
    expect(new Set(snapshots.map(({ ref }) => ref)).size).toBe(3);
    const [change] = await artifacts(w, play.session, "workspace_change");
    expect(change).toMatchObject({
      branch: `fairlead/${play.session}`,
      from: snapshots[0]?.["ref"],
      truncated: false,
    });
    expect(change?.["content"]).toContain("+++ b/two.txt");
    expect(l.git("show", `fairlead/${play.session}:two.txt`)).toBe("2");
    const graphs = await artifacts(w, play.session, "task_graph");
    expect(graphs.map(({ id, nodes }) => [id, nodes])).toEqual([
      [row.state?.task_graph_id, [{ id: "task", title: "Write it down.", status: "running" }]],
      [row.state?.task_graph_id, [{ id: "task", title: "Write it down.", status: "completed" }]],
    ]);
    const listed = (await w.services.details.session(ADA, play.session)).artifacts.map(({ kind }) => kind);
    expect(listed.toSorted()).toEqual([
      "agentic_run",
      "final_output",
      "task_graph",
      "workspace",
      "workspace_change",
      "workspace_snapshot",
    ]);
    const { branches: _, ...now } = untouched(l);
    const { branches: __, ...then } = before;
    expect(now).toEqual(then);
    expect(w.reported).toEqual([]);
  });

  test("the place is on record before anything runs in it", async () => {
    const l = lab();
    const w = worldOf(l, [[put("one.txt", "1")], [DONE]]);
    const play = await start(w);
    await patiently(play, "completed");
    const types = (await everything(w.log, play.session)).map(({ type }) => type);
    expect(types.indexOf("runtime.sandbox.notice")).toBeLessThan(types.indexOf("agent.tool.batch"));
  });

  test("has no place of its own while it only reads, plans or waits to be allowed to write", async () => {
    const l = lab();
    const reading: Step = { call: "read_file", with: { path: "src/a.txt" } };
    const reads = await start(worldOf(l, [[reading], [DONE]]));
    expect((await patiently(reads, "completed")).state).toMatchObject({ workspace_id: null });
    const plans = await start(worldOf(l, [[put("one.txt", "1")], [DONE]]), { permission_mode: "plan" });
    expect((await patiently(plans, "completed")).state).toMatchObject({ workspace_id: null });
    const asks = await start(worldOf(l, [[put("one.txt", "1")], [DONE]]), { permission_mode: "normal" });
    expect((await patiently(asks, "awaiting_approval")).state).toMatchObject({ workspace_id: null });
    expect(await l.workspaces.list()).toEqual([]);
    await asks.decide("approved");
    expect((await patiently(asks, "completed")).state?.workspace_id).toMatch(/^ws_/);
    expect(existsSync(join(l.project, "one.txt"))).toBe(false);
  });

  test("a chat works in the project itself", async () => {
    const l = lab();
    const w = worldOf(l, [[put("one.txt", "1")], [DONE]]);
    const { session_id } = await w.services.sessions.create(ADA, { permission_mode: "full_access" });
    await w.services.turns.start(ADA, session_id, { input: "Go." });
    for (let i = 0; i < 500 && (await w.services.sessions.get(ADA, session_id)).turn_id !== null; i++)
      await new Promise<void>((resolve) => void setTimeout(resolve, 5));
    expect(readFileSync(join(l.project, "one.txt"), "utf8")).toBe("1");
    expect(await l.workspaces.list()).toEqual([]);
  });

  test("is judged by the place it will have, not by the project", async () => {
    const l = lab();
    const rules = [
      "rules:",
      "  - id: in-the-project",
      "    on: [pre_action]",
      `    when: action.workspace == ${JSON.stringify(l.project)}`,
      "    decide: block",
      "    reason: Not in the project.",
      "",
    ].join("\n");
    const w = worldOf(l, [[put("one.txt", "1")], [put("two.txt", "2")], [DONE]], { rules });
    const play = await start(w);
    await patiently(play, "completed");
    const statuses = async (session: typeof play.session) =>
      (await everything(w.log, session)).flatMap(({ type, data }) =>
        type === "agent.tool.outcome" ? [(data as { status: string }).status] : [],
      );
    expect(await statuses(play.session)).toEqual(["ok", "ok"]);
    const chat = await w.services.sessions.create(ADA, { permission_mode: "full_access" });
    await w.services.turns.start(ADA, chat.session_id, { input: "Go." });
    await patiently(staged(w, { session_id: chat.session_id } as HealthyRow), "idle");
    expect(await statuses(chat.session_id)).toEqual(["denied", "denied"]);
  });

  test("fails, and writes nowhere, where its place cannot be had", async () => {
    const l = lab({ repository: false, limits: { totalBytes: 10 } });
    l.put("large.txt", "x".repeat(100));
    const before = filesOf(l.project);
    const play = await start(worldOf(l, [[put("one.txt", "1")], [DONE]]));
    await patiently(play, "failed");
    expect(await play.data("runtime.request.failed")).toMatchObject([
      { code: "workspace", error: expect.stringMatching(/too large/) },
    ]);
    expect(filesOf(l.project)).toEqual(before);
    expect(await play.data("agent.tool.batch")).toEqual([]);
  });

  test("and where it was lost with all that was kept of it", async () => {
    const l = lab();
    const w = worldOf(l, [
      [put("one.txt", "1")],
      [{ fail: "No such key.", status: 401 }],
      [put("two.txt", "2")],
      [DONE],
    ]);
    const play = await start(w);
    await patiently(play, "failed");
    rmSync(join(l.data, "workspaces"), { recursive: true });
    await w.services.kernel.resume(ADA, play.session);
    await patiently(play, "failed");
    expect((await play.data("runtime.request.failed")).at(-1)).toMatchObject({ code: "workspace" });
    expect(existsSync(join(l.project, "two.txt"))).toBe(false);
  });
});

describe("a sub-agent", () => {
  test("works in the place of who delegated, and what it wrote is part of the change", async () => {
    const l = lab();
    const rules = [
      { when: "Write it", rounds: [[{ call: "delegate", with: { task: "Make the file." } }], [DONE]] },
      { when: "Make the file", rounds: [[put("child.txt", "c")], [{ say: "Made." }]] },
    ];
    const w = worldOf(l, [], {
      tools: [...tools(l), delegate()],
      models: [scriptedModel({ script: { rules } })],
    });
    const play = await start(w);
    const row = await patiently(play, "completed");
    const [child] = (await w.services.details.chat(ADA, play.session)).subagents;
    const inner = await w.services.sessions.get(ADA, child?.session_id ?? "");
    expect(inner.state).toMatchObject({
      workspace_id: row.state?.workspace_id,
      workspace: row.state?.workspace,
    });
    expect(await artifacts(w, inner.session_id, "workspace_snapshot")).toHaveLength(2);
    expect(existsSync(join(l.project, "child.txt"))).toBe(false);
    expect(l.git("show", `fairlead/${play.session}:child.txt`)).toBe("c");
  });
});

describe("clean-up", () => {
  test("takes files of what ended long ago, nothing that is referred to, and all of what is gone", async () => {
    const time = handTime();
    const l = lab({ clock: time.clock });
    const w = worldOf(l, [[put("one.txt", "1")], [DONE]], { time });
    const play = await start(w);
    const row = await patiently(play, "completed");
    const path = String(row.state?.workspace);
    const branch = await w.services.branches.branch(ADA, play.session, {});
    const run = () =>
      cleanUp({
        log: w.log,
        ids: { next: (kind) => `${kind}_x` as never },
        clock: w.time.clock,
        workspaces: l.workspaces,
        keepMs: 1_000,
        keptMs: 1_000,
        report: (error) => {
          throw error;
        },
      });
    expect(await run()).toBe(0);
    await w.time.advance(10_000);
    // The branch is a chat: it has no end, and was idle for as long.
    expect(await run()).toBe(2);
    expect([path, String(branch.state?.workspace)].filter(existsSync)).toEqual([]);
    expect(await run()).toBe(0);
    // Still good for a branch.
    const again = await w.services.branches.branch(ADA, play.session, {});
    expect(filesOf(String(again.state?.workspace))).toMatchObject({ "one.txt": "1" });
    const admin = { ...ADA, role: "admin" as const };
    // With a session that is purged its files go at once.
    await w.services.sessions.purge(admin, again.session_id, "over");
    expect(existsSync(String(again.state?.workspace))).toBe(false);
    await w.time.advance(2 * 3_600_000);
    expect(await run()).toBe(0);
    expect((await l.workspaces.list()).map(({ session_id }) => session_id)).toEqual([
      play.session,
      branch.session_id,
    ]);
    expect(l.git("show", `fairlead/${play.session}:one.txt`)).toBe("1");
    const { path: back } = await l.workspaces.open(String(branch.state?.workspace_id));
    expect(filesOf(back)).toMatchObject({ "one.txt": "1" });
  });
});

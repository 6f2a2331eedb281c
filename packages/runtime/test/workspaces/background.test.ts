import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { HealthyRow, SessionId, SessionStatus } from "@fairlead/contract";
import { hostFiles } from "../../src/host/workspace-files.ts";
import type { Step } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { writeFile } from "../../src/tools/write-file.ts";
import { readFile } from "../../src/tools/read-file.ts";
import type { Tool } from "../../src/ports/tool.ts";
import { cleanUp } from "../../src/services/workspaces/clean-up.ts";
import { ADA, staged, type Stage } from "../kernel/support.ts";
import { everything, handTime, type World, world, type WorldOptions } from "../support/world.ts";
import { filesOf, type Lab, lab, untouched } from "./support.ts";

const put = (path: string, content: string): Step => ({ call: "write_file", with: { path, content } });
const DONE: Step = { say: "All done." };

function tools(l: Lab): Tool[] {
  const files = hostFiles({ hidden: [l.data], fixed: [] });
  return [writeFile(files), readFile(files)];
}

function worldOf(l: Lab, rounds: readonly (readonly Step[])[], options: WorldOptions = {}): World {
  return world({
    tools: tools(l),
    workspace: l.project,
    workspaces: l.workspaces,
    models: [scriptedModel({ script: { rules: [{ rounds: rounds.map((round) => [...round]) }] } })],
    ...options,
  });
}

async function start(
  w: World,
  input: Partial<Parameters<World["services"]["kernel"]["start"]>[1]> = {},
): Promise<Stage> {
  const first = await w.services.kernel.start(ADA, {
    task: "Write it down.",
    permission_mode: "full_access",
    ...input,
  });
  return staged(w, first);
}

async function patiently(play: Stage, ...statuses: readonly SessionStatus[]): Promise<HealthyRow> {
  for (let i = 0; i < 20; i++) {
    try {
      return await play.until(...statuses);
    } catch (error) {
      if (i === 19) throw error;
    }
  }
  throw new Error("unreachable");
}

const artifacts = async (w: World, session: SessionId, kind: string) =>
  (await everything(w.log, session)).flatMap((event) => {
    const { artifact } = event.data as { artifact?: Record<string, unknown> };
    return artifact?.["kind"] === kind ? [{ ...artifact, seq: event.seq, event_id: event.id }] : [];
  }) as { seq: number; event_id: string; [key: string]: unknown }[];

/** What a branch says of its files. */
async function saidOf(w: World, session: SessionId): Promise<unknown> {
  const [seed] = await everything(w.log, session);
  return (seed?.data as { details?: { workspace?: unknown } } | undefined)?.details?.workspace;
}

describe("background work that writes", () => {
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

describe("a branch", () => {
  test("from any event has the files as they were there, and leaves the parent's alone", async () => {
    const l = lab();
    const w = worldOf(l, [[put("one.txt", "1")], [put("one.txt", "2"), put("two.txt", "2")], [DONE]]);
    const play = await start(w);
    const row = await patiently(play, "completed");
    const all = await everything(w.log, play.session);
    const snapshots = await artifacts(w, play.session, "workspace_snapshot");
    const ONE = { "one.txt": "1" };
    // What writes runs alone: each is a wave.
    const expected = (seq: number) => {
      const at = snapshots.filter((one) => one.seq <= seq).length;
      return [undefined, {}, ONE, { "one.txt": "2" }, { "one.txt": "2", "two.txt": "2" }][at];
    };
    let restored = 0;
    for (const event of all.filter(
      (_, i) => i % 7 === 0 || snapshots.some(({ seq }) => seq === all[i]?.seq),
    )) {
      const branch = await w.services.branches.branch(ADA, play.session, { from_event_id: event.id });
      const files = expected(event.seq);
      const said = await saidOf(w, branch.session_id);
      if (files === undefined) {
        expect(branch.state?.workspace_id ?? null).toBeNull();
        expect(said).toMatchObject({ kind: "project" });
        continue;
      }
      restored += 1;
      expect(said).toMatchObject({ kind: "restored", method: "worktree" });
      const path = String(branch.state?.workspace);
      expect(path).not.toBe(row.state?.workspace);
      expect(filesOf(path)).toEqual({ ...filesOf(l.project), ...files });
    }
    expect(restored).toBeGreaterThan(3);
    expect(filesOf(String(row.state?.workspace))).toMatchObject({ "one.txt": "2" });
  });

  test("of background work goes on in its own copy, with another model, mode and instructions", async () => {
    const l = lab();
    const other = {
      ...scriptedModel({ script: { rules: [{ rounds: [[put("other.txt", "3")], [DONE]] }] } }),
      id: "other",
    };
    const w = worldOf(l, [], {
      models: [
        scriptedModel({ script: { rules: [{ when: "Write", rounds: [[put("one.txt", "1")], [DONE]] }] } }),
        other,
      ],
    });
    const play = await start(w);
    await patiently(play, "completed");
    const [, snapshot] = await artifacts(w, play.session, "workspace_snapshot");
    const row = await w.services.kernel.resume(ADA, play.session, {
      from_event_id: snapshot?.event_id ?? "",
      model: "other",
      permission_mode: "accept_edits",
      instructions: "Another way.",
    });
    const branch = staged(w, row);
    const ended = await patiently(branch, "completed");
    expect(ended.state).toMatchObject({
      parent_session_id: play.session,
      branch_source_event_id: snapshot?.event_id,
      branch_resume_cursor: expect.stringMatching(/^event:/),
      instructions: "Another way.",
      permission_mode: "accept_edits",
    });
    expect(filesOf(String(ended.state?.workspace))).toMatchObject({ "one.txt": "1", "other.txt": "3" });
    expect((await play.row()).state?.workspace).not.toBe(ended.state?.workspace);
    const [change] = await artifacts(w, branch.session, "workspace_change");
    expect(((change?.["files"] ?? []) as { path: string }[]).map(({ path }) => path)).toEqual([
      "one.txt",
      "other.txt",
    ]);
  });

  test("is made without the files where they cannot be had, and says so", async () => {
    const l = lab();
    const w = worldOf(l, [[put("one.txt", "1")], [DONE]]);
    const play = await start(w);
    await patiently(play, "completed");
    rmSync(join(l.data, "workspaces"), { recursive: true });
    const branch = await w.services.branches.branch(ADA, play.session, {});
    expect(branch.state?.workspace_id ?? null).toBeNull();
    const said = await saidOf(w, branch.session_id);
    expect(said).toMatchObject({
      kind: "project",
      note: expect.stringMatching(/cannot be had/),
    });
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
        report: (error) => {
          throw error;
        },
      });
    expect(await run()).toBe(0);
    await w.time.advance(10_000);
    expect(await run()).toBe(1);
    expect(existsSync(path)).toBe(false);
    expect(existsSync(String(branch.state?.workspace))).toBe(true);
    expect(await run()).toBe(0);
    // Still good for a branch.
    const again = await w.services.branches.branch(ADA, play.session, {});
    expect(filesOf(String(again.state?.workspace))).toMatchObject({ "one.txt": "1" });
    const admin = { ...ADA, role: "admin" as const };
    await w.services.sessions.purge(admin, again.session_id, "over");
    expect(await run()).toBe(0);
    await w.time.advance(2 * 3_600_000);
    expect(await run()).toBe(1);
    expect((await l.workspaces.list()).map(({ session_id }) => session_id)).toEqual([
      play.session,
      branch.session_id,
    ]);
    expect(l.git("show", `fairlead/${play.session}:one.txt`)).toBe("1");
  });
});

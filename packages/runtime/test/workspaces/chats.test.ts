import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AnyEvent, HealthyRow, SessionId } from "@fairlead/contract";
import { describe, expect, test } from "vitest";
import { is } from "../../src/domain/event.ts";
import type { Rule, Step } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { delegate } from "../../src/tools/delegate.ts";
import { ADA, staged } from "../kernel/support.ts";
import { everything, type World } from "../support/world.ts";
import { artifacts, DONE, patiently, put, saidOf, tools, worldOf } from "./support-background.ts";
import { filesOf, lab, type Lab, untouched } from "./support.ts";

const READ: Step = { call: "read_file", with: { path: "one.txt" } };

function worldFor(l: Lab, rules: readonly Rule[]): World {
  return worldOf(l, [], {
    tools: [...tools(l), delegate()],
    models: [scriptedModel({ script: { rules: [...rules] } })],
  });
}

async function chat(w: World): Promise<SessionId> {
  return (await w.services.sessions.create(ADA, { permission_mode: "full_access" })).session_id;
}

async function say(w: World, session_id: SessionId, input: string): Promise<void> {
  await w.services.turns.start(ADA, session_id, { input });
  await patiently(staged(w, { session_id } as HealthyRow), "idle");
}

async function branchAt(w: World, event: AnyEvent | undefined) {
  const row = await w.services.branches.branch(ADA, event?.stream ?? "", { from_event_id: event?.id ?? "" });
  const said = (await saidOf(w, row.session_id)) as Record<string, unknown>;
  return { row, said, one: textOf(String(row.state?.workspace), "one.txt") };
}

function textOf(root: string, path: string): string | null {
  try {
    return readFileSync(join(root, path), "utf8");
  } catch {
    return null;
  }
}

const FIRST: Rule = { when: "first", rounds: [[READ], [put("one.txt", "1")], [DONE]] };
const SECOND: Rule = { when: "second", rounds: [[put("one.txt", "2")], [DONE]] };
const OTHER: Rule = { when: "other", rounds: [[put("two.txt", "b")], [DONE]] };

describe.each([{ repository: true }, { repository: false }])("a chat (repository: $repository)", (given) => {
  test("is branched with the files as they were, into a place of the branch's own", async () => {
    const l = lab(given);
    l.put("kept.txt", "k");
    const w = worldFor(l, [FIRST, SECOND, OTHER]);
    const id = await chat(w);
    await say(w, id, "first");
    await say(w, id, "second");
    const all = await everything(w.log, id);
    const results = all.filter(
      (event) => is(event, "agent.tool.result") && event.data.tool_name !== "read_file",
    );
    for (const [event, one] of [
      [all[0], null],
      [results[0], "1"],
      [all.find(({ type, seq }) => type === "runtime.request.completed" && seq > 0), "1"],
      [results[1], "2"],
      [all.at(-1), "2"],
    ] as const) {
      const found = await branchAt(w, event);
      expect(found.one, event?.type).toBe(one);
      expect(found.said).toMatchObject({ kind: "restored", method: given.repository ? "worktree" : "copy" });
      expect(found.said["note"]).toBeUndefined();
      expect(found.row.state?.workspace_id).toBe(found.row.session_id.replace("ses_", "ws_"));
      expect(textOf(String(found.row.state?.workspace), "kept.txt")).toBe("k");
    }
    const { row } = await branchAt(w, results[0]);
    const own = await everything(w.log, row.session_id);
    expect(own.find(({ type }) => type === "runtime.sandbox.notice")?.data).toMatchObject({
      requested_backend: "chat_session",
      resolved_backend: "task_workspace",
    });
    await say(w, row.session_id, "other");
    expect(textOf(String(row.state?.workspace), "two.txt")).toBe("b");
    expect([textOf(l.project, "one.txt"), textOf(l.project, "two.txt")]).toEqual(["2", null]);
    const compared = await w.services.comparisons.compare(ADA, id, row.session_id);
    const names = (files: readonly { path: string }[] | null) => files?.map(({ path }) => path);
    expect(names(compared.a.files)).toEqual(["one.txt"]);
    expect(names(compared.b.files)).toEqual(["two.txt"]);
    expect(names(compared.files?.changed ?? null)).toEqual(["one.txt", "two.txt"]);
    expect(w.reported).toEqual([]);
  });

  test("keeps what the user changed between two turns, and what a sub-agent wrote", async () => {
    const l = lab(given);
    const w = worldFor(l, [
      FIRST,
      { when: "hand", rounds: [[{ call: "delegate", with: { task: "paint" } }], [DONE]] },
      { when: "paint", rounds: [[put("one.txt", "painted")], [DONE]] },
    ]);
    const id = await chat(w);
    await say(w, id, "first");
    l.put("one.txt", "mine");
    await say(w, id, "hand");
    const all = await everything(w.log, id);
    const started = all.find((event) => is(event, "runtime.subagent.event"));
    const delegated = all.findLast((event) => is(event, "agent.tool.outcome"));
    expect((await branchAt(w, delegated)).one).toBe("painted");
    expect(
      (
        await branchAt(
          w,
          all.findLast((event) => is(event, "agent.tool.batch")),
        )
      ).one,
    ).toBe("mine");
    const child = (started?.data as { session_id: SessionId } | undefined)?.session_id;
    const below = await everything(w.log, child ?? ("" as SessionId));
    expect((await branchAt(w, below[0])).one).toBe("mine");
    expect(
      (
        await branchAt(
          w,
          below.find((event) => is(event, "agent.tool.result")),
        )
      ).one,
    ).toBe("painted");
  });
});

test("what is kept of a chat touches nothing under the user's hands, and goes with the chat", async () => {
  const l = lab();
  l.put("src/a.txt", "half done\n");
  l.put("staged.txt", "s");
  l.git("add", "staged.txt");
  const before = untouched(l);
  const w = worldFor(l, [FIRST]);
  const id = await chat(w);
  await say(w, id, "first");
  expect(untouched(l)).toEqual({ ...before, files: { ...(before["files"] as object), "one.txt": "1" } });
  expect(l.git("worktree", "list").trim().split("\n")).toHaveLength(1);
  const kept = id.replace("ses_", "ws_");
  expect(await l.workspaces.forget(kept)).toBe(true);
  expect(l.git("for-each-ref", "refs/fairlead").trim()).toBe("");
  expect(untouched(l)).toMatchObject({ head: before["head"], index: before["index"] });
  expect(textOf(l.project, "one.txt")).toBe("1");
});

test("a turn that only reads keeps nothing", async () => {
  const l = lab();
  const w = worldFor(l, [{ when: "look", rounds: [[READ], [DONE]] }]);
  const id = await chat(w);
  await say(w, id, "look");
  expect(await artifacts(w, id, "workspace_snapshot")).toEqual([]);
  expect(await l.workspaces.list()).toEqual([]);
  expect(l.git("for-each-ref", "refs/fairlead").trim()).toBe("");
  expect((await branchAt(w, (await everything(w.log, id)).at(-1))).said).toMatchObject({ kind: "project" });
});

test("of a project that is too large it is said once, and branches say what they have", async () => {
  const l = lab({ repository: false, limits: { files: 1 } });
  l.put("a.txt", "a");
  l.put("b.txt", "b");
  const w = worldFor(l, [FIRST, SECOND]);
  const id = await chat(w);
  await say(w, id, "first");
  await say(w, id, "second");
  const all = await everything(w.log, id);
  const notices = all.filter((event) => is(event, "runtime.sandbox.notice"));
  expect(notices.map(({ data }) => data)).toEqual([
    expect.objectContaining({
      resolved_backend: "project",
      reason: expect.stringMatching(/too large .* get the files as they are now\.$/),
      details: { kept: false, too_large: true },
    }),
  ]);
  expect(textOf(l.project, "one.txt")).toBe("2");
  const { row, said } = await branchAt(w, all.at(-1));
  expect(said).toMatchObject({ kind: "project" });
  expect(row.state?.workspace_id ?? null).toBeNull();
  expect(await l.workspaces.list()).toEqual([]);
  for (const left of ["objects", "records"])
    expect(filesOf(join(l.data, "workspaces", left)), left).toEqual({});
  expect(w.reported).toEqual([]);
});

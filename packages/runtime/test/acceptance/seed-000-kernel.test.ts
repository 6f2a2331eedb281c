import type { ChatSessionDetail, HealthyRow, QuestionRow } from "@fairlead/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Rule } from "../../src/models/script.ts";
import { type Live, live } from "./live.ts";
import { workOn } from "./work-on.ts";

const RULES: Rule[] = [
  {
    when: "write it",
    rounds: [[{ call: "write_file", with: { path: "a.txt", content: "a" } }], [{ say: "Written." }]],
  },
  { when: "fail for now", do: [{ fail: "The model is out.", status: 500 }] },
  { rounds: [[{ call: "list_files", with: {} }], [{ say: "Two files." }]] },
];

let home: Live;
beforeAll(async () => {
  home = await live({ rules: RULES, runtime: { limits: { callTries: 1 } } });
  home.put("b.txt", "b");
});
afterAll(() => home[Symbol.asyncDispose]());
const { call, start, until, frames } = workOn(() => home.site);

describe("seed 000, the rest of the background session kernel", () => {
  it("expiry: a past expires_at fails with an expired checkpoint before supervisor recovery", async () => {
    const { session_id } = await start("fail for now", { max_retries: 9 });
    await until(session_id, "recovering");
    await call("PATCH", `/sessions/${session_id}/policy`, { expires_at: "2020-01-01T00:00:00Z" });
    const { checkpoints, state } = await until(session_id, "failed");
    expect(checkpoints[0]).toMatchObject({ checkpoint_type: "expired", status: "failed" });
    expect(state?.attempt_count).toBe(1);
  });

  it("resume requeues the same session unless a branch cursor is supplied", async () => {
    const { session_id } = await start("fail for now", { max_retries: 0 });
    await until(session_id, "failed");
    const same = await call<HealthyRow>("POST", `/sessions/${session_id}/resume`, {
      input: "count the files",
    });
    expect(same.session_id).toBe(session_id);
    await until(session_id, "completed");
    const { resume_points } = await call<ChatSessionDetail>("GET", `/chat/sessions/${session_id}`);
    const branch = await call<HealthyRow>("POST", `/sessions/${session_id}/resume`, {
      resume_cursor: resume_points[0]?.resume_cursor,
      input: "count the files",
    });
    expect(branch.session_id).not.toBe(session_id);
    expect((await until(branch.session_id, "completed")).state?.parent_session_id).toBe(session_id);
  });

  it("work isolation: a write-capable session prepares a task graph and a task workspace, as typed artifacts", async () => {
    const { session_id } = await start("write it", { permission_mode: "full_access" });
    const { artifacts, state } = await until(session_id, "completed");
    expect(state).toMatchObject({
      workspace_id: expect.stringMatching(/^ws_/),
      task_graph_id: expect.stringMatching(/^tg_/),
    });
    const kinds = new Set(artifacts.map(({ kind }) => kind));
    for (const kind of ["task_graph", "workspace", "agentic_run", "final_output"])
      expect(kinds).toContain(kind);
    const notice = (await frames(session_id)).find(({ type }) => type === "sandbox_notice");
    expect(notice?.payload).toMatchObject({ resolved_backend: "task_workspace", isolation: "workspace" });
  });

  it("a session that crosses a budget creates a normal approval request, or pauses, as policy.health.action says", async () => {
    const health = { max_total_tokens: 10 };
    const { session_id: asks } = await start("count the files", { policy: { health } });
    const waiting = await until(asks, "awaiting_approval");
    expect(waiting.health.policy).toMatchObject({
      health,
      enforcement: { action: "approval_request", outcome: "open" },
    });
    const { rows } = await call<{ rows: QuestionRow[] }>("GET", `/approvals?session_id=${asks}`);
    expect(rows.map(({ request_id }) => request_id)).toEqual([waiting.state?.approval_request_id]);
    const { session_id: waits } = await start("count the files", {
      policy: { health: { ...health, action: "pause" } },
    });
    const paused = await until(waits, "paused");
    expect(paused.health.policy).toMatchObject({ enforcement: { action: "pause", outcome: "open" } });
    for (const id of [asks, waits]) await call("POST", `/sessions/${id}/cancel`, {});
  });
});

import type { ChatSessionDetail, HealthyRow } from "@fairlead/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Rule } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { type Site, startSite } from "../server/support.ts";
import { type Frame, workOn } from "./work-on.ts";

/** What each task is answered with. */
const RULES: Rule[] = [
  { when: "from here", do: [{ say: "From here, then." }] },
  {
    when: "ask first",
    rounds: [[{ call: "write_file", with: { path: "a.txt", content: "a" } }], [{ say: "Written." }]],
  },
  { when: "fail for good", do: [{ fail: "No such key.", status: 401 }] },
  { when: "fail for now", do: [{ fail: "The model is out.", status: 500 }] },
  { when: "hang", do: [{ say: "One moment" }, { hang: true }] },
  { rounds: [[{ call: "list_files", with: {} }], [{ say: "Two files." }]] },
];

let site: Site;
beforeAll(async () => {
  site = await startSite({
    models: [scriptedModel({ script: { rules: RULES } })],
    runtime: { limits: { background: 8, callTries: 1 } },
  });
});
afterAll(() => site.close());

const { call, start, detail, until, frames } = workOn(() => site);

/** Reads frames of a stream until one is as wanted. */
async function* stream(path: string): AsyncGenerator<Frame> {
  const abort = new AbortController();
  const response = await site.call(path, { signal: abort.signal });
  expect(response.status).toBe(200);
  let text = "";
  try {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString();
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const line = block.split("\n").find((one) => one.startsWith("data: "));
        if (line !== undefined) yield JSON.parse(line.slice(6)) as Frame;
      }
    }
  } finally {
    abort.abort();
  }
}

describe("seed 000, the background session kernel", () => {
  it("native background agentic runs emit session_state, session_checkpoint, and step_progress", async () => {
    const { session_id } = await start("count the files");
    await until(session_id, "completed");
    const all = await frames(session_id);
    const of = (type: string) => all.filter((frame) => frame.type === type).map(({ payload }) => payload);
    expect(of("session_state").map(({ status }) => status)).toEqual(["queued", "running", "completed"]);
    expect(of("step_progress").map(({ step_id, status }) => `${String(step_id)} ${String(status)}`)).toEqual([
      "step-1 running",
      "step-1 completed",
      "step-2 running",
      "step-2 completed",
    ]);
    expect(of("session_checkpoint")[1]).toEqual({
      session_id,
      sequence: 2,
      checkpoint_type: "step",
      status: "completed",
      summary_text: "step-1 completed: list_files",
      resume_cursor: null,
      details: expect.any(Object),
    });
    expect(of("tool_outcome")).toMatchObject([{ status: "ok" }]);
    expect(of("completed")).toMatchObject([{ output: "Two files." }]);
  });

  it("every optional background field is on the row and in session_state", async () => {
    const { session_id } = await start("count the files", {
      max_retries: 2,
      expires_at: "2100-01-01T00:00:00Z",
      metadata: { ticket: 7 },
    });
    const { state } = await until(session_id, "completed");
    const said = (await frames(session_id)).findLast(({ type }) => type === "session_state")?.payload;
    const fields = [
      "engine",
      "runner_kind",
      "approval_request_id",
      "workspace_id",
      "task_graph_id",
      "process_id",
      "attempt_count",
      "max_retries",
      "expires_at",
      "parent_session_id",
      "branch_source_event_id",
      "branch_resume_cursor",
      "last_heartbeat_at",
      "last_error",
      "updated_at",
      "ended_at",
      "resume_context",
    ];
    for (const field of fields) {
      expect(Object.keys(state ?? {})).toContain(field);
      expect(Object.keys(said ?? {})).toContain(field);
    }
    expect(state).toMatchObject({
      max_retries: 2,
      expires_at: "2100-01-01T00:00:00Z",
      metadata: { ticket: 7 },
    });
  });

  it("attempts: transient failures move to recovering while attempt_count <= max_retries, permanent ones fail", async () => {
    const { session_id } = await start("fail for now", { max_retries: 1 });
    const recovering = await until(session_id, "recovering");
    expect(recovering.state).toMatchObject({ attempt_count: 1, last_error: "The model is out." });
    // Now, instead of when its time comes.
    await call("POST", `/sessions/${session_id}/resume`, {});
    const failed = await until(session_id, "failed");
    expect(failed.state).toMatchObject({ attempt_count: 2, last_error: "The model is out." });
    const { session_id: other } = await start("fail for good");
    expect((await until(other, "failed")).state).toMatchObject({
      attempt_count: 1,
      last_error: "No such key.",
    });
  });

  it("expiry: a past expires_at fails with an expired checkpoint before execution", async () => {
    const { session_id } = await start("count the files", { expires_at: "2020-01-01T00:00:00Z" });
    const { checkpoints } = await until(session_id, "failed");
    expect(checkpoints[0]).toMatchObject({ checkpoint_type: "expired", status: "failed" });
    expect((await frames(session_id)).map(({ type }) => type)).not.toContain("turn_start");
  });

  it("pause/resume: a paused session keeps its row, checkpoints and artifacts; resume requeues the same session", async () => {
    const { session_id } = await start("ask first");
    const before = await until(session_id, "awaiting_approval");
    const paused = await call<HealthyRow>("POST", `/sessions/${session_id}/pause`, { reason: "lunch" });
    expect(paused).toMatchObject({ session_id, status: "paused", health: { flags: ["waiting"] } });
    const during = await detail(session_id);
    expect(during.artifacts).toEqual(before.artifacts);
    expect(during.checkpoints.slice(1)).toEqual(before.checkpoints);
    expect(during.state?.ended_at).toBeNull();
    const resumed = await call<HealthyRow>("POST", `/sessions/${session_id}/resume`, {});
    expect(resumed).toMatchObject({ session_id, status: "awaiting_approval" });
    await call("POST", `/sessions/${session_id}/cancel`, {});
  });

  it("approvals: a wait remains awaiting_approval with a durable approval_request_id", async () => {
    const { session_id } = await start("ask first");
    const waiting = await until(session_id, "awaiting_approval");
    const request_id = waiting.state?.approval_request_id ?? "";
    const required = (await frames(session_id)).find(({ type }) => type === "approval_required");
    expect(required?.payload).toMatchObject({ request_id, tool_name: "write_file" });
    await call("POST", `/approvals/${request_id}/decision`, { decision: "denied" });
    const done = await until(session_id, "completed");
    expect(done.state?.approval_request_id).toBeNull();
    expect((await frames(session_id)).map(({ type }) => type)).toContain("approval_applied");
  });

  it("artifacts: final outputs and native agentic run ids are persisted, newest first", async () => {
    const { session_id } = await start("count the files");
    const { artifacts, state } = await until(session_id, "completed");
    expect(artifacts.map(({ kind }) => kind)).toEqual(["final_output", "agentic_run"]);
    expect(artifacts[0]?.seq).toBeGreaterThan(artifacts[1]?.seq ?? Infinity);
    expect(state?.status).toBe("completed");
  });

  it("session detail exposes resume points, for background sessions too", async () => {
    const { session_id } = await start("count the files");
    await until(session_id, "completed");
    const chat = await call<ChatSessionDetail>("GET", `/chat/sessions/${session_id}`);
    expect(chat.resume_points.map(({ kind }) => kind)).toEqual([
      "checkpoint",
      "checkpoint",
      "turn",
      "checkpoint",
      "checkpoint",
    ]);
    expect(chat.background_artifacts).toHaveLength(2);
  });

  it("background sessions can branch from an event id or resume cursor, and carry where from", async () => {
    const { session_id } = await start("count the files");
    await until(session_id, "completed");
    const { resume_points } = await call<ChatSessionDetail>("GET", `/chat/sessions/${session_id}`);
    const point = resume_points[1];
    const tool = (await frames(session_id)).find(({ type }) => type === "tool_outcome");
    for (const from of [{ resume_cursor: point?.resume_cursor }, { from_event_id: tool?.id }]) {
      const branch = await call<HealthyRow>("POST", `/sessions/${session_id}/resume`, from);
      expect(branch.session_id).not.toBe(session_id);
      const done = await until(branch.session_id, "completed");
      expect(done).toMatchObject({
        kind: "background",
        state: {
          parent_session_id: session_id,
          branch_source_event_id: from.from_event_id ?? point?.event_id,
          branch_resume_cursor: expect.stringContaining(`:${session_id}:`),
        },
      });
      expect(done.checkpoints.at(-1)).toMatchObject({ checkpoint_type: "resume_seed" });
    }
    // And into a chat.
    const chat = await site.call(`/chat/sessions/${session_id}/branch`, {
      method: "POST",
      body: { resume_cursor: point?.resume_cursor },
    });
    expect((await chat.json()) as HealthyRow).toMatchObject({ kind: "chat", status: "idle" });
  });

  it("start, resume, pause, cancel, list and detail responses include health data", async () => {
    const started = await start("ask first");
    const { session_id } = started;
    await until(session_id, "awaiting_approval");
    const answers = [
      started,
      await call<HealthyRow>("POST", `/sessions/${session_id}/pause`, {}),
      await call<HealthyRow>("POST", `/sessions/${session_id}/resume`, {}),
      await call<HealthyRow>("PATCH", `/sessions/${session_id}/policy`, { health: { max_cost_usd: 1 } }),
      await call<HealthyRow>("POST", `/sessions/${session_id}/cancel`, {}),
      await detail(session_id),
      ...(await call<{ rows: HealthyRow[] }>("GET", "/sessions?kind=background")).rows,
    ];
    for (const { health } of answers)
      expect(health).toMatchObject({
        score: expect.any(Number),
        flags: expect.any(Array),
        policy: { health: {}, enforcement: {} },
      });
    expect(answers[3]?.health.policy?.health).toEqual({ max_cost_usd: 1 });
  });

  it("the health stream emits health_snapshot whenever the derived snapshot changes", async () => {
    const { session_id } = await start("ask first");
    await until(session_id, "awaiting_approval");
    const seen: Frame[] = [];
    for await (const frame of stream(`/sessions/${session_id}/health/stream`)) {
      seen.push(frame);
      if (seen.length === 1) await call("POST", `/sessions/${session_id}/cancel`, {});
      if (frame.payload["status"] === "cancelled") break;
    }
    expect(new Set(seen.map(({ type }) => type))).toEqual(new Set(["health_snapshot"]));
    expect(seen[0]?.payload).toMatchObject({ session_id, status: "awaiting_approval", flags: ["waiting"] });
    expect(seen.at(-1)?.payload).toMatchObject({ status: "cancelled", flags: [] });
    const texts = seen.map(({ payload }) => JSON.stringify(payload));
    expect(texts.filter((text, i) => text === texts[i - 1])).toEqual([]);
  });

  it("the channel is rooted at the background session id", async () => {
    const { session_id } = await start("ask first");
    const { channel } = await until(session_id, "awaiting_approval");
    expect(channel.channel_id).toBe(`session:${session_id}`);
    expect(channel.envelopes.map(({ event_type }) => event_type)).toContain("approval_required");
    await call("POST", `/sessions/${session_id}/cancel`, {});
  });

  it("cancel ends what runs, and it has ended when the answer comes", async () => {
    const { session_id } = await start("hang");
    await until(session_id, "running");
    expect(
      await call<HealthyRow>("POST", `/sessions/${session_id}/cancel`, { reason: "enough" }),
    ).toMatchObject({
      status: "cancelled",
      turn_id: null,
    });
  });

  it("bridge engines that are not installed are refused by name instead of pretending", async () => {
    for (const [engine, status, code] of [
      ["claude", 409, "engine_not_installed"],
      ["codex", 409, "engine_not_installed"],
      ["steam", 422, "engine_unknown"],
    ] as const) {
      const response = await site.call("/sessions", { method: "POST", body: { task: "x", engine } });
      expect([response.status, await response.json()]).toMatchObject([status, { code }]);
    }
  });

  it("lists are filtered by state, kind and project, and paged", async () => {
    const made = [
      await start("count the files", { project: "house" }),
      await start("count the files", { project: "house" }),
    ];
    for (const { session_id } of made) await until(session_id, "completed");
    type Page = { rows: HealthyRow[]; cursor: string | null };
    const where = "/sessions?project=house&kind=background&status=completed";
    const first = await call<Page>("GET", `${where}&limit=1`);
    const second = await call<Page>(
      "GET",
      `${where}&limit=1&cursor=${encodeURIComponent(first.cursor ?? "")}`,
    );
    const ids = [...first.rows, ...second.rows].map(({ session_id }) => session_id);
    expect(ids.toSorted()).toEqual(made.map(({ session_id }) => session_id).toSorted());
    expect((await call<Page>("GET", "/sessions?project=garden")).rows).toEqual([]);
  });
});

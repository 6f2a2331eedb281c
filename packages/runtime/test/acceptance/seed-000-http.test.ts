import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ChatSessionDetail, SessionId, SessionState } from "@fairlead/contract";
import { timelineOf } from "@fairlead/contract/view";
import { describe, expect, it } from "vitest";
import { scriptedModel } from "../../src/models/scripted.ts";
import { live, type Shown } from "./live.ts";

const payloads = (all: readonly Shown[], type: string) =>
  all.filter((frame) => frame.type === type).map(({ payload }) => payload);

// The criteria about what a client sees over HTTP: a whole installation, its tools, its streams and its store.
describe("seed 000, acceptance, over HTTP", () => {
  it("context warnings and compactions are both persisted and visible in the UI timeline", async () => {
    const small = {
      ...scriptedModel({ script: { rules: [{ do: [{ say: "Long. ".repeat(100) }] }] } }),
      contextTokens: 1_000,
    };
    await using home = await live({ models: [small] });
    const session = await home.session();
    for (let i = 0; i < 8; i++) await home.turn(session, `More, ${i}.`);
    const all = await home.frames(session);
    // Read again, from the store: what is shown was kept.
    const { events } = await home.json(
      `/sessions/${session}/events?limit=1000&types=context_warning,context_compacted`,
    );
    const kept = events as readonly Shown[];
    for (const type of ["context_warning", "context_compacted"]) {
      const shown = all.filter((frame) => frame.type === type);
      expect(shown.length).toBeGreaterThan(0);
      expect(kept.filter((frame) => frame.type === type)).toEqual(shown);
      for (const { tier } of shown) expect(tier).toBe("default");
      const rows = timelineOf(all).filter(({ key }) => shown.some(({ id }) => id === key));
      expect(rows.map(({ kind }) => kind)).toEqual(shown.map(() => "notice"));
    }
  });

  it("a sandbox_notice comes with the first command, and says what it runs in", async () => {
    const rules = [{ rounds: [[{ call: "shell", with: { command: "true" } }], [{ say: "Done." }]] }];
    await using home = await live({ rules, tools: { sandbox: { mode: "none" } } });
    const session = await home.session({ permission_mode: "full_access" });
    await home.turn(session, "Run it.");
    const [notice, ...more] = payloads(await home.frames(session), "sandbox_notice");
    expect(notice).toMatchObject({
      requested_backend: "none",
      resolved_backend: "none",
      isolation: "none",
      reason: expect.any(String),
    });
    expect(more).toEqual([]);
    expect(await home.json(`/chat/sessions/${session}`)).toMatchObject({
      state: { sandbox_mode: "none", sandbox_isolation: "none" },
    });
  });

  it("session detail exposes persisted delegated-work state, also after a restart", async () => {
    const rules = [
      { when: "count", do: [{ say: "Four." }] },
      { rounds: [[{ call: "delegate", with: { task: "Count the files." } }], [{ say: "There are four." }]] },
    ];
    await using home = await live({ rules });
    const session = await home.session();
    await home.turn(session, "How many are there?");
    const all = await home.frames(session);
    const told = payloads(all, "subagent_event");
    expect(told.map(({ status }) => status)).toEqual(["started", "completed"]);
    const snapshot = {
      agent_id: "subagent_1",
      status: "completed",
      parent_session_id: session,
      session_id: told[0]?.["session_id"],
    };
    const detail = async (of: Pick<typeof home, "json">) =>
      (await of.json(`/chat/sessions/${session}`))["subagents"];
    expect(await detail(home)).toMatchObject([snapshot]);
    const again = await home.restarted();
    expect(await detail(again)).toMatchObject([snapshot]);
  });

  it("hook_event has the lifecycle of a hook that is configured and trusted, with its duration", async () => {
    const rules = [{ rounds: [[{ call: "list_files" }], [{ say: "Done." }]] }];
    const hook = { name: "watch", on: "before_tool", blocking: false, timeout_ms: 10_000 } as const;
    await using home = await live({
      rules,
      runtimeAt: ({ outside }) => ({ hooks: { base: outside, hooks: [{ ...hook, module: "watch.mjs" }] } }),
      before: ({ outside }) => writeFileSync(join(outside, "watch.mjs"), "export default () => undefined;"),
    });
    const { rows } = await home.json("/hooks");
    const [{ hash } = { hash: "" }] = rows as readonly { hash: string }[];
    await home.json("/hooks/watch/trust", { hash });
    const session = await home.session();
    await home.turn(session, "Look.");
    const told = payloads(await home.frames(session), "hook_event");
    expect(told.map(({ hook: name, status }) => [name, status])).toEqual([
      ["watch", "started"],
      ["watch", "completed"],
    ]);
    expect(told[1]?.["elapsed_ms"]).toEqual(expect.any(Number));
  });

  it("session detail exposes resume points from checkpoints, approvals and completed turns, and the channel", async () => {
    const write = [{ call: "write_file", with: { path: "a.txt", content: "a" } }];
    const rules = [{ when: "write", rounds: [write, [{ say: "Done." }]] }, { do: [{ say: "Hello." }] }];
    await using home = await live({ rules });
    const first = await home.session();
    await home.turn(first, "Hello.");
    await home.turn(first, "write it");
    const [question] = await home.questions(first);
    if (question === undefined) throw new Error("Nobody was asked.");
    const { session_id } = await home.json(`/chat/sessions/${first}/branch`, {});
    const detail = async (id: string) =>
      (await home.json(`/chat/sessions/${id}`)) as unknown as ChatSessionDetail;
    const kinds = ({ resume_points }: ChatSessionDetail) => resume_points.map(({ kind }) => kind);
    expect(kinds(await detail(first))).toEqual(["turn", "approval"]);
    expect(kinds(await detail(String(session_id)))).toEqual(["turn", "approval", "checkpoint"]);
    const { channel, subagents, background_artifacts } = await detail(first);
    expect([subagents, background_artifacts]).toEqual([[], []]);
    expect(channel.channel_id).toBe(`session:${first}`);
    const asked = channel.envelopes.find(({ event_type }) => event_type === "approval_required");
    expect(asked?.recipient_ids).toEqual(["operator"]);
    expect(asked?.payload).toMatchObject({ request_id: question.request_id });
  });

  it("chat sessions can branch from an event id or resume cursor", async () => {
    await using home = await live({ rules: [{ do: [{ say: "I heard: {{prompt}}" }] }] });
    const session = await home.session();
    await home.turn(session, "First.");
    await home.turn(session, "Second.");
    const end = (await home.frames(session)).find(({ type }) => type === "completed");
    const from_event_id = end?.id;
    const { resume_points } = await home.json(`/chat/sessions/${session}`);
    const { resume_cursor } = (resume_points as readonly { resume_cursor: string }[])[0] ?? {};
    for (const from of [{ from_event_id }, { resume_cursor }]) {
      const { session_id } = await home.json(`/chat/sessions/${session}/branch`, from);
      const { events } = await home.json(`/sessions/${session_id}/events?history=full&limit=1000`);
      const said = payloads(events as readonly Shown[], "turn_start").map(({ input }) => input);
      expect(said).toEqual(["First."]);
      const own = await home.frames(String(session_id));
      expect(payloads(own, "session_checkpoint")).toMatchObject([{ checkpoint_type: "resume_seed" }]);
      expect(payloads(own, "session_state").at(-1)).toMatchObject({
        parent_session_id: session,
        ...(from_event_id === from.from_event_id
          ? { branch_source_event_id: from_event_id }
          : { branch_resume_cursor: resume_cursor }),
      });
    }
    const wrong = await home.site.call(`/chat/sessions/${session}/branch`, {
      method: "POST",
      body: { resume_cursor: "turn:nowhere:1" },
    });
    expect([wrong.status, (await wrong.json())["code"]]).toEqual([400, "resume_cursor_invalid"]);
  });

  it("session_state has every common field, and fields that an old client does not know break nothing", async () => {
    await using home = await live({ rules: [{ do: [{ say: "Hello." }] }] });
    const session = await home.session();
    const [first, ...rest] = await home.turn(session, "Hello.");
    // The one event that is not stored, so it has no place.
    expect(first).toMatchObject({ type: "session", payload: { session_id: session } });
    expect(first?.seq).toBeUndefined();
    const state = rest.find(({ type }) => type === "session_state");
    const common = ["session_id", "status", "provider", "model", "agent_profile", "permission_mode"];
    const more = ["approval_mode", "think_level", "policy_path", "sandbox_mode", "sandbox_isolation"];
    for (const field of [...common, ...more]) expect(state?.payload).toHaveProperty(field);
    const newer = { ...(state?.payload as unknown as SessionState), of_a_newer_writer: { deep: true } };
    const done = await home.site.runtime.log.append({
      writes: [{ stream: session as SessionId, events: [{ type: "runtime.session.state", data: newer }] }],
    });
    expect(done).toMatchObject({ ok: true });
    const all = await home.frames(session);
    expect(all.at(-1)?.payload).toEqual(newer);
    const before = timelineOf(all.slice(0, -1));
    expect(timelineOf(all).slice(0, before.length)).toEqual(before);
    await home.turn(session, "Still there?");
    // What it did not know is carried on.
    const states = payloads(await home.frames(session), "session_state");
    expect(states.at(-1)).toMatchObject({ of_a_newer_writer: { deep: true }, status: "idle" });
  });
});

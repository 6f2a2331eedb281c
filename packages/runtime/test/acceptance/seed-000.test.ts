import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ChatSessionDetail,
  EVENTS,
  EVENT_TYPES,
  type FrontendFrame,
  type SessionId,
  type SessionState,
  type StreamEvent,
  streamEvents,
} from "@fairlead/contract";
import { TIMELINE, timelineOf } from "@fairlead/contract/view";
import { describe, expect, it, onTestFinished } from "vitest";
import { frontendFrame } from "../../src/faces/frontend.ts";
import type { Model, ModelPart } from "../../src/ports/model.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { gated, look, model, type Scene, scene, tool, writer } from "../golden/scene.ts";
import { live } from "./live.ts";
import { startSite } from "../server/support.ts";

type Payload = Record<string, unknown>;
interface Shown {
  readonly type: string;
  readonly payload: Payload;
  readonly tier: string;
}

/** What a client of seed 000 gets, oldest first. */
async function frames({ events }: Scene): Promise<readonly Shown[]> {
  return (await events())
    .map(frontendFrame)
    .filter((frame): frame is FrontendFrame => frame !== null) as never;
}

const payloads = (all: readonly Shown[], type: string) =>
  all.filter((frame) => frame.type === type).map(({ payload }) => payload);

/** The frontend's side of every golden transcript. */
const TRANSCRIPTS = readdirSync(new URL("../golden", import.meta.url))
  .filter((file) => file.endsWith(".frontend.jsonl"))
  .map((file): readonly [string, readonly Shown[]] => {
    const lines = readFileSync(new URL(`../golden/${file}`, import.meta.url), "utf8")
      .trim()
      .split("\n");
    return [file, lines.map((line) => JSON.parse(line) as Shown)];
  });

/** Says its parts, in turn. */
function saying(...answers: readonly (readonly ModelPart[])[]): Model {
  let said = 0;
  return {
    provider: "test",
    id: "saying",
    async *stream() {
      yield* answers[said++] ?? [];
    },
  };
}

describe("seed 000, acceptance", () => {
  it("/stream-events matches the frontend handled-event set", async () => {
    const site = await startSite();
    onTestFinished(() => site.close());
    const listed = (await (await site.call("/stream-events", { as: null })).json()) as {
      events: StreamEvent[];
    };
    const served = new Map(listed.events.map((event) => [event.name as string, event]));
    const named = new Set<string>(EVENT_TYPES.flatMap((type) => EVENTS[type].faces.frontend ?? []));
    // `gap` is said by the stream itself, when what a reader wants is gone.
    expect(new Set(served.keys())).toEqual(named.add("gap"));
    expect(TRANSCRIPTS.length).toBeGreaterThan(15);
    for (const [, all] of TRANSCRIPTS)
      for (const { type, tier } of all) expect(served.get(type)).toMatchObject({ persisted: true, tier });
  });

  it("duplicate tool names resolve correctly by tool_call_id", async () => {
    const first = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    const call = (tool_call_id: string, what: string): ModelPart => ({
      type: "tool_call",
      tool_call_id,
      name: "look",
      arguments: JSON.stringify({ what }),
    });
    const play = await scene({
      // The provider gives two of them the same id.
      models: [
        saying(
          [
            call("same", "door"),
            call("same", "roof"),
            call("other", "wall"),
            { type: "finish", reason: "tool_calls" },
          ],
          [
            { type: "text", text: "Seen." },
            { type: "finish", reason: "stop" },
          ],
        ),
      ],
      tools: [
        tool("look", async ({ what }) => {
          // They end in another order than they began.
          if (what === "door") await first.promise;
          if (what === "roof") await second.promise;
          if (what === "wall") second.resolve();
          if (what === "roof") first.resolve();
          return { result: { seen: what } };
        }),
      ],
    });
    await play.start();
    await play.rest();
    const all = await frames(play);
    const calls = payloads(all, "tool_call");
    expect(new Set(calls.map((one) => one["tool_call_id"])).size).toBe(3);
    for (const { tool_call_id, arguments: args } of calls) {
      const { what, _tool_call_id } = args as Payload;
      expect(_tool_call_id).toBe(tool_call_id);
      const of = (type: string) => payloads(all, type).filter((one) => one["tool_call_id"] === tool_call_id);
      expect(of("tool_result")).toMatchObject([
        { tool_name: "look", result: JSON.stringify({ seen: what }) },
      ]);
      expect(of("tool_outcome")).toMatchObject([{ tool_name: "look", status: "ok", result: { seen: what } }]);
    }
    const order = payloads(all, "tool_outcome").map((one) => (one["result"] as Payload)["seen"]);
    expect(order).toEqual(["wall", "roof", "door"]);
  });

  it("chat turns emit tool_outcome for success, timeout, denial, artifact, and failure paths", async () => {
    const names = ["look", "wait", "change", "recite", "break"];
    const play = await scene(
      {
        models: [
          model({
            rounds: [names.map((name) => ({ call: name, with: { what: "it" } })), [{ say: "Done." }]],
          }),
        ],
        tools: [
          look,
          gated({ timeoutMs: 5_000 }),
          writer,
          tool("recite", async () => ({ result: "Sing. ".repeat(10_000) })),
          tool("break", () => Promise.reject(new Error("It broke."))),
        ],
      },
      { permission_mode: "plan" },
    );
    await play.start();
    await play.until("agent.tool.batch", 2);
    await play.w.time.advance(5_000);
    await play.rest();
    const outcomes = Object.fromEntries(
      payloads(await frames(play), "tool_outcome").map((one) => [one["tool_name"], one]),
    );
    expect(outcomes).toMatchObject({
      look: { status: "ok", outcome_type: "ToolExecutionResult", elapsed_ms: 0, result: { seen: "it" } },
      wait: { status: "timeout", outcome_type: "ToolTimeout", elapsed_ms: 5_000 },
      change: { status: "denied", outcome_type: "ToolDenied", elapsed_ms: 0 },
      recite: { status: "artifact", outcome_type: "ToolArtifact" },
      break: { status: "error", outcome_type: "ToolError", error: "It broke." },
    });
  });

  it.each(TRANSCRIPTS)(
    "tool lifecycle preserves tool_call_id, and each tool_call has one tool_outcome: %s",
    (_, all) => {
      const seen = new Map<unknown, string[]>();
      for (const { type, payload } of all) {
        if (!["tool_call", "tool_result", "tool_outcome", "tool_validation_error"].includes(type)) continue;
        expect(payload["tool_call_id"]).toEqual(expect.any(String));
        const id = payload["tool_call_id"];
        const status = type === "tool_outcome" ? `:${String(payload["status"])}` : "";
        seen.set(id, [...(seen.get(id) ?? []), type + status]);
      }
      for (const life of seen.values())
        expect(life.filter((one) => one !== "tool_validation_error").join(" ")).toMatch(
          /^$|^tool_call (tool_result tool_outcome:(ok|artifact)|tool_outcome:(timeout|error|denied))$/,
        );
    },
  );

  it("approval pause and resume: approval_required, approval_applied, and the state between them", async () => {
    const play = await scene({
      models: [model({ rounds: [[{ call: "change", with: { what: "it" } }], [{ say: "Done." }]] })],
      tools: [writer],
    });
    await play.start();
    await play.rest();
    const before = await frames(play);
    const [required] = payloads(before, "approval_required");
    expect(required).toMatchObject({
      request_id: expect.stringMatching(/^apr_/),
      tool_name: "change",
      reason: expect.stringContaining("normal mode"),
      shown: { tool: "change", arguments: { what: "it" } },
    });
    expect(payloads(before, "session_state").at(-1)).toMatchObject({
      status: "awaiting_approval",
      approval_request_id: required?.["request_id"],
    });
    expect(payloads(before, "tool_call")).toEqual([]);
    await play.decide({ decision: "approved" });
    const all = await frames(play);
    expect(payloads(all, "approval_applied")).toMatchObject([
      { request_id: required?.["request_id"], tool_name: "change", decision: "approved", actor: "ada" },
    ]);
    const types = all.map(({ type }) => type);
    expect(types.indexOf("approval_applied")).toBeLessThan(types.indexOf("tool_call"));
    expect(payloads(all, "session_state").at(-1)).toMatchObject({
      status: "idle",
      approval_request_id: null,
    });
  });

  it("policy and transport diagnostics of a turn are persisted as the contract shows them", async () => {
    const play = await scene(
      {
        models: [
          model({ do: [{ fail: "Primary provider failed health checks.", status: 503 }] }, "main"),
          model({ do: [{ say: "Here." }] }, "spare"),
        ],
        fallbacks: ["spare"],
      },
      { permission_mode: "normal", approval_mode: "on_request" },
    );
    await play.start();
    await play.rest();
    const all = await frames(play);
    expect(payloads(all, "policy_decision")[0]).toMatchObject({
      subject: "turn_runtime",
      outcome: "configured",
      reason: "Resolved runtime execution mode for this chat turn.",
      policy_path: "execution_mode -> approval_policy -> runtime_callbacks",
      permission_mode: "normal",
      approval_mode: "on_request",
    });
    expect(payloads(all, "transport_diagnostic")).toMatchObject([
      {
        status: "degraded",
        kind: "provider_fallback",
        provider_requested: "fairlead",
        provider_actual: "fairlead",
        reason: "Primary provider failed health checks.",
        failure_count: 1,
      },
    ]);
    for (const { type, tier } of all)
      if (type === "policy_decision" || type === "transport_diagnostic") expect(tier).toBe("debug");
  });

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

  it.each(["policy_decision", "hook_event", "sandbox_notice", "transport_diagnostic", "subagent_event"])(
    "%s is persisted, and the reducer that user interfaces share handles it",
    (name) => {
      const listed = streamEvents().find((event) => event.name === name);
      expect(listed).toMatchObject({ persisted: true, tier: "debug" });
      expect(TIMELINE[name as keyof typeof TIMELINE]).toBeTypeOf("function");
    },
  );

  it("a sandbox_notice comes with the first command, and says what it runs in", async () => {
    const rules = [{ rounds: [[{ call: "shell", with: { command: "true" } }], [{ say: "Done." }]] }];
    await using home = await live({ rules, tools: { sandbox: { mode: "none" } } });
    const session = await home.session({ permission_mode: "full_access" });
    await home.turn(session, "Run it.");
    const [notice, ...more] = payloads((await home.frames(session)) as readonly Shown[], "sandbox_notice");
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
    const all = (await home.frames(session)) as readonly Shown[];
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
    const told = payloads((await home.frames(session)) as readonly Shown[], "hook_event");
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
      expect(payloads(own as readonly Shown[], "session_checkpoint")).toMatchObject([
        { checkpoint_type: "resume_seed" },
      ]);
      expect(payloads(own as readonly Shown[], "session_state").at(-1)).toMatchObject({
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
    const states = payloads((await home.frames(session)) as readonly Shown[], "session_state");
    expect(states.at(-1)).toMatchObject({ of_a_newer_writer: { deep: true }, status: "idle" });
  });
});

import { readFileSync, readdirSync } from "node:fs";
import { EVENTS, EVENT_TYPES, type FrontendFrame, type StreamEvent, streamEvents } from "@fairlead/contract";
import { TIMELINE } from "@fairlead/contract/view";
import { describe, expect, it, onTestFinished } from "vitest";
import { frontendFrame } from "../../src/faces/frontend.ts";
import type { Model, ModelPart } from "../../src/ports/model.ts";
import { gated, look, model, type Scene, scene, tool, writer } from "../golden/scene.ts";
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

  it.each(["policy_decision", "hook_event", "sandbox_notice", "transport_diagnostic", "subagent_event"])(
    "%s is persisted, and the reducer that user interfaces share handles it",
    (name) => {
      const listed = streamEvents().find((event) => event.name === name);
      expect(listed).toMatchObject({ persisted: true, tier: "debug" });
      expect(TIMELINE[name as keyof typeof TIMELINE]).toBeTypeOf("function");
    },
  );
});

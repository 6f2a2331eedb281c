import { expect, test } from "vitest";
import { type FrontendFrame, streamEvents } from "../src/index.ts";
import { SUMMARY_EVENTS, timelineOf } from "../src/view/index.ts";

/** Seed 000's inventory, word for word. */
const SEED: Readonly<Record<string, "default" | "debug">> = {
  session: "default",
  session_state: "default",
  session_checkpoint: "default",
  policy_decision: "debug",
  hook_event: "debug",
  sandbox_notice: "debug",
  transport_diagnostic: "debug",
  subagent_event: "debug",
  turn_start: "debug",
  turn_start_tools: "debug",
  token: "default",
  response: "default",
  thinking: "default",
  reflection: "default",
  tool_call: "default",
  tool_result: "default",
  tool_outcome: "default",
  tool_batch: "debug",
  tool_selected: "debug",
  tool_validation_error: "debug",
  context_warning: "default",
  context_compacted: "default",
  step_progress: "default",
  usage: "debug",
  retrieval: "default",
  antahkarana: "default",
  approval_required: "default",
  approval_applied: "default",
  turn_end: "default",
  completed: "default",
  error: "default",
};

const PAYLOADS: Readonly<Record<string, object>> = {
  session_state: { session_id: "ses_1", status: "failed" },
  session_checkpoint: { checkpoint_type: "step", status: "completed", summary_text: "done" },
  policy_decision: { subject: "pre_action", outcome: "allow", reason: "no rule", source: "default" },
  token: { text: "word" },
  response: { text: "words" },
  thinking: { text: "hm" },
  reflection: { text: "well" },
  tool_call: { name: "shell", arguments: {}, tool_call_id: "call_1" },
  tool_result: { tool_name: "shell", tool_call_id: "call_1", result: "x" },
  tool_outcome: { tool_name: "shell", tool_call_id: "call_1", status: "ok", elapsed_ms: 1 },
  context_warning: { message: "full" },
  context_compacted: { original_count: 2, compacted_count: 1, tokens_saved: 1, summary: "s" },
  step_progress: { step_id: "s", status: "completed" },
  retrieval: { citations: [] },
  antahkarana: { summary: "calm" },
  approval_required: { request_id: "apr_1", tool_name: "shell", reason: "why" },
  approval_applied: { request_id: "apr_1", tool_name: "shell", decision: "approved", actor: "ada" },
  turn_end: { turn_id: "trn_1", status: "completed" },
  error: { error: "no", code: "model_error" },
  subagent_event: { agent_id: "a", status: "started", parent_session_id: "ses_1" },
  tool_batch: { wave: 1, tool_call_ids: [] },
};

function rowsOf(name: string, tier: "default" | "debug") {
  const frame = {
    type: name,
    payload: PAYLOADS[name] ?? {},
    id: "evt_1",
    seq: 1,
    at: "",
    tier,
    session_id: "s",
  };
  return timelineOf([frame as unknown as FrontendFrame]);
}

test("streams say the tiers of the seed", () => {
  const tiers = Object.fromEntries(streamEvents().map(({ name, tier }) => [name, tier]));
  for (const [name, tier] of Object.entries(SEED)) expect([name, tiers[name]]).toEqual([name, tier]);
});

const DEBUG = Object.keys(SEED).filter((name) => SEED[name] === "debug");
/** What a person said, and a call that never ran: the page draws conversation and tool timeline from them. */
const DRAWN: ReadonlySet<string> = new Set(["turn_start", "tool_validation_error"]);

test.each(DEBUG.filter((name) => !DRAWN.has(name)))("%s is in the debug tier alone", (name) => {
  const rows = rowsOf(name, "debug");
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every(({ tier }) => tier === "debug")).toBe(true);
});

/** Of these the head or the end of the turn speaks, and `session` tells one reader its id. */
const ELSEWHERE: ReadonlySet<string> = new Set(["session", "completed"]);
const DEFAULT = Object.keys(SEED).filter((name) => SEED[name] === "default" && !ELSEWHERE.has(name));

test.each(DEFAULT)("%s is seen without asking", (name) => {
  expect(rowsOf(name, "default").some(({ tier }) => tier === "default")).toBe(true);
});

test("a state that is plain from what follows is in the head", () => {
  expect(SUMMARY_EVENTS).toContain("session_state");
});

test("a no and a change are seen without asking, also one of a newer word", () => {
  for (const outcome of ["block", "modify", "quarantine"]) {
    const payload = { subject: "pre_action", outcome, reason: "because", source: "rules", rule_id: "no-rm" };
    const frame = { type: "policy_decision", payload, id: "evt_1", seq: 1, at: "", tier: "debug" };
    const [row] = timelineOf([frame as unknown as FrontendFrame]);
    expect(row).toMatchObject({ tier: "default", kind: "notice", notice: "policy", text: "because (no-rm)" });
  }
});

test("what no one here knows is raw, in the debug tier, whatever tier it names", () => {
  expect(rowsOf("brand_new_thing", "default")).toMatchObject([
    { tier: "debug", kind: "raw", name: "brand_new_thing" },
  ]);
});

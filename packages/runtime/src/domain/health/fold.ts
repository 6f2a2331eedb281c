import type { AnyEvent, EventData, EventType } from "@fairlead/contract";
import { hashJson } from "../canonical.ts";
import { allowMore, setPolicy } from "./budgets.ts";
import { countAway, foldBelow, hastenBelow } from "./below.ts";
import { foldEnforced, HEALTH_SUBJECT } from "./enforced.ts";
import { foldBack, foldUsage } from "./spent.ts";
import { audited, told } from "./notes.ts";
import { NOTHING } from "./amounts.ts";
import { type HealthState, newTurnHealth } from "./state.ts";
import { isBackground, policyOf } from "../kernel/background.ts";

type Folds = {
  readonly [T in EventType]?: (state: HealthState, data: EventData<T>, at: number, event: AnyEvent) => void;
};

/** The same call so often among the last ones is a loop. */
const SAME_CALLS = 3;
const RECENT_CALLS = 12;

/** What we say ourselves is no memory, and passages that were found are counted where they were found. */
const OWN_WORDS: ReadonlySet<string> = new Set(["fairlead", "retrieval"]);

/** What each event makes of how a session fares. Snapshots are not among them: health does not follow from itself. */
const FOLDS: Folds = {
  "runtime.session.state": (state, data, at) => {
    state.status = data.status;
    state.background = isBackground(data);
    if (typeof data.workspace_host === "string") state.host = data.workspace_host;
    state.waits = waitOf(data, at);
    countAway(state, at);
    state.attempts = data.attempt_count ?? state.attempts;
    setPolicy(state, state.chosen ?? policyOf(data).health ?? {});
  },
  "runtime.session.configured": (state, { changes }) => {
    if (!("metadata" in changes)) return;
    state.chosen = policyOf(changes as never).health ?? {};
    setPolicy(state, state.chosen);
  },
  "runtime.request.started": (state, _, at) => {
    state.turn = newTurnHealth();
    state.recent = [];
    state.failing = 0;
    state.contract_failed = false;
    state.below = {};
    state.back = NOTHING;
    state.reserved = null;
    begin(state, at);
  },
  "runtime.turn.resumed": (state, { reason }, at) => {
    // Nobody parked it: a process was lost.
    if (state.active_since !== null) audited(state, at, "lost", reason);
    begin(state, at);
  },
  "runtime.turn.ended": (state, { waits = [] }, at) => {
    if (state.active_since !== null) state.active_ms += Math.max(0, at - state.active_since);
    state.active_since = null;
    state.progress_at = at;
    state.delegating = waits.some(({ kind }) => kind === "session");
    countAway(state, at);
  },
  "runtime.subagent.event": (state, data, at, event) => {
    foldBelow(state, data);
    foldBack(state, data, event);
    countAway(state, at);
  },
  "agent.output.completed": (state, _, at) => {
    state.progress_at = at;
    state.turn.unproven += 1;
    // The policy is held against the session before each call of the model: an answer says that this has been done.
    state.latency_checked = true;
    state.context_peak = 0;
  },
  "agent.usage": foldUsage,
  "runtime.budget.reserved": (state, { tokens, cost_usd = 0 }) =>
    void (state.reserved = { tokens, cost_usd }),
  "agent.tool.start": (
    state,
    { name, arguments: { _tool_call_id: _, ...args }, tool_call_id, delegates },
  ) => {
    if (delegates === true && tool_call_id !== undefined)
      state.away_calls = [...state.away_calls, tool_call_id].slice(-RECENT_CALLS);
    const call = hashJson([name, args]).slice(0, 16);
    state.recent = [...state.recent, call].slice(-RECENT_CALLS);
    if (state.recent.filter((one) => one === call).length < SAME_CALLS) return;
    state.loop_warnings += 1;
    state.turn.loop_warnings += 1;
  },
  "agent.tool.outcome": (state, { status, elapsed_ms, tool_name, error, tool_call_id }, at) => {
    state.progress_at = at;
    state.calls += 1;
    if (state.away_calls.includes(tool_call_id))
      state.away_calls = state.away_calls.filter((id) => id !== tool_call_id);
    else {
      state.latency_ms = state.latency_checked ? elapsed_ms : Math.max(state.latency_ms, elapsed_ms);
      state.latency_checked = false;
    }
    if (status === "ok" || status === "artifact") {
      state.failing = 0;
      state.turn.unproven = 0;
      return;
    }
    if (status === "denied")
      return audited(state, at, "denied", `${tool_name}: ${error ?? ""}`, tool_call_id);
    state.failed_calls += 1;
    state.failing += 1;
  },
  "runtime.task.list": (state, { tasks }, at) => {
    state.progress_at = at;
    const plan = hashJson(tasks.map(({ id, status, title }) => [id, status, title])).slice(0, 16);
    if (plan === state.plan) {
      state.repeated_plans += 1;
      state.turn.repeated_plans += 1;
    }
    state.plan = plan;
  },
  "agent.context.warning": (state, { usage_percent = 0 }) => {
    state.context_percent = usage_percent;
    state.context_peak = Math.max(state.context_peak, usage_percent);
  },
  "agent.context.compacted": (state) => void (state.context_percent = 0),
  "runtime.context.injected": (state, { source, subject, text }, at) => {
    if (text !== "" && !OWN_WORDS.has(source)) told(state, source, subject, 1, at);
  },
  "runtime.retrieval.completed": (state, { citations }, at) => {
    if (citations.length === 0) return;
    state.turn.unproven = 0;
    told(state, "retrieval", "workspace", citations.length, at);
  },
  "runtime.memory.recall.completed": (state, { namespace, record_ids }, at) => {
    if (record_ids.length > 0) told(state, "memory", namespace, record_ids.length, at);
  },
  "runtime.policy.decision": (state, data, at) => {
    if (data.subject === HEALTH_SUBJECT) return foldEnforced(state, data, at);
    if (data.outcome === "block") audited(state, at, "blocked", `${data.subject}: ${data.reason}`);
  },
  "runtime.question.asked": (state, { tool_name, reason, request_id }, at) =>
    audited(state, at, "asked", `${tool_name}: ${reason}`, request_id),
  "runtime.question.decided": (state, { tool_name, decision, actor, request_id, moot }, at) => {
    audited(state, at, "decided", `${actor} ${moot === true ? "moved" : decision} ${tool_name}`, request_id);
    const { enforcement } = state;
    if (enforcement?.request_id !== request_id || enforcement.outcome !== "open") return;
    const outcome = moot === true ? "moved" : decision === "approved" ? "approved" : "denied";
    state.enforcement = { ...enforcement, outcome, by: actor };
    if (outcome === "approved") allowMore(state, enforcement.crossed);
  },
  // Who lets a session go on that its policy has paused says yes to what it was paused for.
  "runtime.session.resuming": (state, { actor }, at) => {
    hastenBelow(state);
    countAway(state, at);
    const { enforcement } = state;
    if (enforcement?.action !== "pause" || enforcement.outcome !== "open") return;
    state.enforcement = { ...enforcement, outcome: "resumed", by: actor };
    allowMore(state, enforcement.crossed);
  },
  "runtime.session.accepted": (state, { actor, reason }, at) => {
    state.contract_failed = false;
    audited(state, at, "accepted", `${actor}: ${reason}`);
  },
  "runtime.effect.verdict": (state, { tool_name, verdict, reason, tool_call_id }, at) =>
    audited(state, at, "verdict", `${tool_name}: ${verdict}. ${reason}`, tool_call_id),
  "runtime.transport.diagnostic": (state, { status, kind, reason }, at) => {
    if (status !== "degraded") return;
    state.turn.fallbacks += 1;
    audited(state, at, "degraded", `${kind}: ${reason}`);
  },
  "runtime.verification.reported": (state, { status }, at) => {
    state.progress_at = at;
    if (status === "passed") state.turn.unproven = 0;
  },
  "runtime.execution.contract.failed": (state, { reason }, at) => {
    state.contract_failed = true;
    audited(state, at, "contract", reason);
  },
};

/** All that must be looked at. */
export const HEALTH_TYPES: readonly string[] = Object.keys(FOLDS);

/** Whether the event can change anything: most decisions of rules say that all is well. */
export function mattersToHealth(event: { readonly type: string; readonly data: unknown }): boolean {
  if (!Object.hasOwn(FOLDS, event.type)) return false;
  if (event.type !== "runtime.policy.decision") return true;
  const { subject, outcome } = event.data as EventData<"runtime.policy.decision">;
  return subject === HEALTH_SUBJECT || outcome === "block";
}

/** `at`: when it happened, in milliseconds. Whether it was one that matters. */
export function foldHealth(state: HealthState, event: AnyEvent, at: number): boolean {
  if (!mattersToHealth(event)) return false;
  const apply = FOLDS[event.type as EventType] as
    | ((s: HealthState, d: unknown, at: number, e: AnyEvent) => void)
    | undefined;
  apply?.(state, event.data, at, event);
  return true;
}

/** Of shorter waits of sub-agents and chats nothing is said: they come and go. */
const LONG_MS = 60_000;

/** What a session says of a time that it waits for. */
function waitOf(said: EventData<"runtime.session.state">, at: number): HealthState["waits"] {
  const { kind, until, reason } = said.resume_context ?? {};
  if (said.status !== "queued" || kind !== "timer" || typeof until !== "string") return null;
  if (!isBackground(said) && Date.parse(until) - at < LONG_MS) return null;
  return { until, reason: typeof reason === "string" ? reason : "It waits for a time." };
}

function begin(state: HealthState, at: number): void {
  state.delegating = false;
  countAway(state, at);
  // What a lost process did until now was time too.
  if (state.active_since !== null) state.active_ms += Math.max(0, at - state.active_since);
  state.active_since = at;
  state.progress_at = at;
}

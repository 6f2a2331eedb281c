import type { HealthPolicy, HealthSnapshot, SessionStatus } from "@fairlead/contract";
import { hashJson } from "../canonical.ts";
import { askingBelow, hintBelow, waitsBelow } from "./below.ts";
import { runtimeMs, limitOf, MEASURES, pressures, type MaxBudget, plain } from "./budgets.ts";
import {
  BEST_SCORE,
  CONTEXT_FULL,
  highestPressure,
  isDegraded,
  isLooping,
  isStuck,
  lacksEvidence,
  NEAR,
  scoreOf,
  scoreParts,
  STUCK_MS,
} from "./score.ts";
import type { HealthState } from "./state.ts";

/** Seed 000's risk flags, and two of ours. */
const HEALTH_FLAGS = ["stuck", "waiting", "degraded", "budget", "loop", "no_evidence"] as const;
type HealthFlag = (typeof HEALTH_FLAGS)[number];

type Test = (state: HealthState, policy: HealthPolicy, now: number) => boolean;

const FLAGS: Readonly<Record<HealthFlag, Test>> = {
  stuck: (state, _, now) => isStuck(state, now),
  waiting: (state) =>
    state.status === "awaiting_approval" ||
    state.status === "paused" ||
    state.waits !== null ||
    askingBelow(state).length > 0 ||
    waitsBelow(state) !== undefined,
  degraded: isDegraded,
  budget: (state, policy, now) =>
    highestPressure(state, policy, now) >= NEAR || state.enforcement?.outcome === "open",
  loop: isLooping,
  no_evidence: lacksEvidence,
};

const HINTS: Partial<Record<SessionStatus, string>> = {
  awaiting_approval: "Decide what is asked: `GET /approvals`.",
  paused: "Go on with it: `POST /sessions/{id}/resume`.",
  recovering: "It is tried again by itself; `POST /sessions/{id}/resume` tries it now.",
  needs_review:
    "Look at what it made: `POST /sessions/{id}/accept` says that it is good, `POST /sessions/{id}/resume` lets it go on.",
  failed: "`last_error` says why. Mend that, then `POST /sessions/{id}/resume`.",
};

/** Nobody can do anything more with it. */
const OVER: ReadonlySet<string> = new Set(["completed", "cancelled"]);

const FLAG_HINTS: Partial<Record<HealthFlag, string>> = {
  stuck: "Nothing has come of it for ten minutes: look at the tool or model call under way, or cancel.",
  loop: "It repeats itself: steer it, or branch from before.",
  budget: "A budget is used up, or nearly so: `PATCH /sessions/{id}/policy` moves it.",
  degraded: "Calls keep failing: read their errors, then steer it.",
  no_evidence: "It says more than it has seen: ask for a check.",
};

/** How a session fares at this time. A function of the log, the policy and the clock, and of nothing else. */
export function healthAt(
  session_id: string,
  state: HealthState,
  now: number,
  policy: HealthPolicy = state.policy,
): HealthSnapshot {
  const parts = scoreParts(state, policy, now);
  const flags = HEALTH_FLAGS.filter((flag) => FLAGS[flag](state, policy, now));
  return {
    session_id,
    score: scoreOf(parts),
    score_parts: { ...parts },
    flags,
    status: state.status,
    budget_pressure: pressureOf(state, policy, now),
    usage: usageOf(state, now),
    memory_provenance: state.provenance.map((one) => ({ ...one })),
    audit: state.audit.map((row) => ({ ...row })),
    recovery_hint:
      HINTS[state.status] ??
      belowHint(session_id, state) ??
      timeHint(state) ??
      hostHint(state, now) ??
      (OVER.has(state.status) ? null : hintOf(flags)),
    policy: { health: { ...policy }, enforcement: enforcementOf(state) },
  };
}

function belowHint(session_id: string, state: HealthState): string | undefined {
  const asking = askingBelow(state);
  return asking.length === 0 ? undefined : hintBelow(session_id, asking);
}

function timeHint(state: HealthState): string | undefined {
  const waits = state.waits ?? waitsBelow(state);
  if (waits === undefined) return undefined;
  // Only background work can be told to go on; it tells what it delegated.
  const now = state.background ? "; `POST /sessions/{id}/resume` tries it now" : "";
  return `${waits.reason} It goes on by itself at ${waits.until}${now}.`;
}

/** From when on it may wait for the machine that has its files; null where it does not. */
function missesHostAt({ status, host, active_since, progress_at }: HealthState): number | null {
  const since = progress_at ?? active_since;
  if (host === undefined || since === null) return null;
  return status === "queued" || status === "running" ? since + STUCK_MS : null;
}

function missesHost(state: HealthState, now: number): boolean {
  return now >= (missesHostAt(state) ?? Infinity);
}

function hostHint(state: HealthState, now: number): string | undefined {
  if (!missesHost(state, now)) return undefined;
  return `Its files are on ${state.host}, where a process goes on with it. If that machine is gone for good, cancel it, or branch it.`;
}

function hintOf(flags: readonly HealthFlag[]): string | null {
  for (const flag of flags) if (FLAG_HINTS[flag] !== undefined) return FLAG_HINTS[flag];
  return null;
}

function pressureOf(state: HealthState, policy: HealthPolicy, now: number): Record<string, unknown> {
  const entries = Object.entries(pressures(state, policy, now)) as [MaxBudget, number][];
  return Object.fromEntries(
    entries.map(([budget, share]) => [
      budget,
      {
        used: rounded(MEASURES[budget](state, now)),
        limit: plain(limitOf(state, policy, budget) ?? 0),
        percent: Math.min(1_000, Math.round(share * 100)),
      },
    ]),
  );
}

function usageOf(state: HealthState, now: number): Record<string, number> {
  const { calls, context_percent } = state;
  return {
    tokens: MEASURES.max_total_tokens(state, now),
    cost_usd: rounded(MEASURES.max_cost_usd(state, now)),
    runtime_minutes: Math.floor(runtimeMs(state, now) / 60_000),
    tool_calls: calls,
    failed_tool_calls: MEASURES.max_failed_tool_calls(state, now),
    context_percent,
    loop_warnings: MEASURES.max_loop_warnings(state, now),
    repeated_plan_events: MEASURES.max_repeated_plan_events(state, now),
    events_without_evidence: state.turn.unproven,
  };
}

function enforcementOf({ enforcement }: HealthState): Record<string, unknown> {
  return enforcement === null ? {} : { ...enforcement };
}

/** Pressure is told apart in steps of this many percent: what moves within one is no news. */
const STEP = 10;

/**
 * What tells two snapshots apart. Numbers that grow with every call are left out, and pressure is taken coarsely:
 * otherwise each step of a healthy session would be news.
 */
export function snapshotKey({
  score,
  flags,
  budget_pressure,
  audit,
  memory_provenance,
  recovery_hint,
  policy,
}: HealthSnapshot): string {
  const levels = Object.entries(budget_pressure ?? {}).map(([budget, said]) => [
    budget,
    Math.floor(Number((said as { percent?: unknown } | null)?.percent ?? 0) / STEP),
  ]);
  const told = memory_provenance?.map(({ source, subject }) => [source, subject]) ?? [];
  return JSON.stringify([
    score,
    flags,
    levels,
    auditKey(audit ?? []),
    told,
    recovery_hint ?? null,
    policy?.health ?? {},
    { ...policy?.enforcement, at: undefined },
  ]);
}

/** Without times: who drives a session reads another clock than the log, and both must mean the same snapshot. */
function auditKey(audit: readonly Readonly<Record<string, unknown>>[]): string | null {
  if (audit.length === 0) return null;
  return hashJson(audit.map((row) => [row["kind"], row["ref"] ?? row["summary"]])).slice(0, 16);
}

/** Of a session of which nothing is to be said: what one begins with. */
export const NO_NEWS = snapshotKey({
  session_id: "",
  score: BEST_SCORE,
  flags: [],
  recovery_hint: null,
});

/**
 * Whether there is plainly nothing to say. A shortcut for the many events of sessions that fare well: what it holds for
 * has no news, and most that has none is found by it.
 */
export function isPlain(state: HealthState, now: number): boolean {
  const { turn, status } = state;
  return (
    (status === "running" || status === "idle" || status === "queued" || status === "completed") &&
    state.audit.length === 0 &&
    state.provenance.length === 0 &&
    state.failing === 0 &&
    state.attempts <= 1 &&
    state.context_percent < CONTEXT_FULL &&
    turn.loop_warnings + turn.repeated_plans + turn.fallbacks === 0 &&
    turn.unproven <= 1 &&
    !state.contract_failed &&
    state.enforcement === null &&
    state.waits === null &&
    isAlone(state) &&
    Object.keys(state.policy).length === 0 &&
    !isStuck(state, now) &&
    !missesHost(state, now)
  );
}

/** Nobody below it, or nobody of whom something is to be said. */
function isAlone(state: HealthState): boolean {
  if (Object.keys(state.below).length === 0) return true;
  return askingBelow(state).length === 0 && waitsBelow(state) === undefined;
}

/** When the snapshot will be another though nothing happens, in milliseconds; null when it will not. */
export function changesAt(
  state: HealthState,
  now: number,
  policy: HealthPolicy = state.policy,
): number | null {
  const { active_since, away_since, progress_at } = state;
  const missed = missesHostAt(state);
  if (active_since === null && away_since === null) return missed !== null && missed > now ? missed : null;
  const stuck = active_since === null ? [] : [(progress_at ?? active_since) + STUCK_MS];
  const limit = limitOf(state, policy, "max_runtime_minutes");
  const minutes = limit === undefined ? [] : runtimeSteps(state, limit * 60_000, now);
  const coming = [...stuck, ...minutes].filter((at) => at > now);
  // Stores keep whole milliseconds.
  return coming.length === 0 ? null : Math.ceil(Math.min(...coming));
}

/** When the runtime is next near its limit, and when it is over it. */
function runtimeSteps({ active_since, away_since, active_ms }: HealthState, limit: number, now: number) {
  const since = (active_since ?? away_since ?? now) - active_ms;
  return [NEAR, 1].map((share) => since + limit * share);
}

function rounded(value: number): number {
  return Math.round(value * 1_000_000) / 1_000_000;
}

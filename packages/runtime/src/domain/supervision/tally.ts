import type { EventType, SessionStats } from "@fairlead/ahp";
import { actionOf, isBlocking } from "@fairlead/ahp";
import type { AnyEvent, NewEvent } from "@fairlead/contract";
import type { Amounts, HistoryCounts } from "../policy/input.ts";
import { add, amount } from "./counts.ts";
import { type CallOfRun, claimsOf, countOwn, OWN_TALLIED } from "./tally-own.ts";

/** Who answers for the chain as a whole, in `runtime.supervision.*`. */
export const CHAIN = "fairlead";

/** The adapter and the phases under which plain notifications are kept. */
export const ADAPTER = "ahp";
export const phaseOf = (event_type: string): string => `ahp.${event_type}`;

/** What happened in a session so far, as rules see it. Changed in place, because every event passes here. */
export interface Tally {
  readonly events: Record<string, number>;
  readonly tools: Record<string, number>;
  readonly decisions: Record<string, number>;
  actions: number;
  /** Actions that rules let pass and that are not answered yet: they count, or many at once would pass a limit. */
  claimed: number;
  /** Calls of a run of our own that were judged and have not begun, by `tool_call_id`. */
  readonly calls: Record<string, CallOfRun>;
  errors: number;
  /** Said at once by heartbeats, or call by call by responses: the larger counts. */
  beatTokens: number;
  callTokens: number;
  costUsd: number;
  /** Milliseconds; null before the first event. */
  since: number | null;
}

/** The types that change a tally: all that must be read to make it again, for runs of our own and of foreign agents. */
export const TALLIED: readonly string[] = [
  "runtime.supervision.asked",
  "runtime.supervision.answered",
  "runtime.adapter.event",
  "runtime.run.lifecycle",
  "runtime.task.list",
  "runtime.verification.reported",
  "agent.heartbeat",
  ...OWN_TALLIED,
];
const IS_TALLIED: ReadonlySet<string> = new Set(TALLIED);

export function newTally(): Tally {
  return {
    events: table(),
    tools: table(),
    decisions: table(),
    calls: table(),
    actions: 0,
    claimed: 0,
    errors: 0,
    beatTokens: 0,
    callTokens: 0,
    costUsd: 0,
    since: null,
  };
}

/** A tally as it came back from JSON, such as a snapshot. What only one process could know is forgotten. */
export function restoredTally(kept: Tally): Tally {
  return {
    ...kept,
    claimed: 0,
    events: Object.assign(table<number>(), kept.events),
    tools: Object.assign(table<number>(), kept.tools),
    decisions: Object.assign(table<number>(), kept.decisions),
    calls: Object.assign(table<CallOfRun>(), kept.calls),
  };
}

/** Names come from agents: tables without a prototype have no names of their own. */
function table<V>(): Record<string, V> {
  return Object.create(null) as Record<string, V>;
}

const PLAIN: Readonly<Record<string, string>> = {
  "runtime.run.lifecycle": "run_lifecycle",
  "runtime.task.list": "task_list",
  "runtime.verification.reported": "verification",
  "agent.heartbeat": "heartbeat",
};

/** Counts one event of a session. For every event of the log, in order: of most it makes nothing. */
export function count(tally: Tally, event: NewEvent | AnyEvent, at: number): void {
  if (!IS_TALLIED.has(event.type)) return;
  tally.since ??= at;
  if (countOwn(tally, event)) return;
  const data = event.data as Record<string, unknown>;
  switch (event.type) {
    case "runtime.supervision.asked": {
      // A notification that was judged, in a batch, is counted as what it is.
      if (data["supervisor"] !== CHAIN || !isBlocking(data["event_type"] as EventType)) return;
      add(tally.events, String(data["event_type"]));
      const { toolName } = actionOf(data["payload"]);
      if (data["event_type"] === "pre_action" && toolName !== undefined) add(tally.tools, toolName);
      return;
    }
    case "runtime.supervision.answered": {
      if (data["supervisor"] !== CHAIN) return;
      const { decision } = data["decision"] as { decision: string };
      add(tally.decisions, decision);
      if (data["event_type"] === "pre_action" && (decision === "allow" || decision === "modify"))
        tally.actions += 1;
      return;
    }
    case "runtime.adapter.event":
      return countNotice(tally, (data["event"] ?? {}) as Record<string, unknown>);
    default:
      add(tally.events, PLAIN[event.type] ?? event.type);
      if (event.type === "agent.heartbeat")
        tally.beatTokens = Math.max(tally.beatTokens, amount(data["tokens_used"]));
  }
}

function countNotice(tally: Tally, { phase, payload }: Record<string, unknown>): void {
  const type = String(phase).replace(/^ahp\./, "");
  add(tally.events, type);
  if (type === "error") tally.errors += 1;
  if (type !== "post_response") return;
  const said = record(payload);
  const usage = record(said["usage"]);
  tally.callTokens += amount(usage["total_tokens"]) || amount(said["total_tokens"]);
  tally.costUsd += amount(usage["cost_usd"]) || amount(said["cost_usd"]);
}

/** As it is now, with so many actions that are under way counted as allowed. */
export function historyOf(tally: Tally, underWay = 0): HistoryCounts {
  const { events, tools, decisions } = historyNow(tally, underWay);
  return { events: { ...events }, tools: { ...tools }, decisions: { ...decisions } };
}

/** The same without a copy, for who is done with it before anything else is counted. */
export function historyNow({ events, tools, decisions }: Tally, underWay: number): HistoryCounts {
  if (underWay === 0) return { events, tools, decisions };
  return { events, tools, decisions: { ...decisions, allow: (decisions["allow"] ?? 0) + underWay } };
}

/** Actions that count, though nothing has come of them yet. */
export function underWay(tally: Tally): number {
  return tally.claimed + claimsOf(tally);
}

export function statsOf(tally: Tally, now: number): SessionStats {
  return {
    total_actions: tally.actions,
    total_tokens: tokens(tally),
    duration_ms: tally.since === null ? 0 : Math.max(0, now - tally.since),
    error_count: tally.errors,
  };
}

export function usedBy(tally: Tally, now: number): Amounts {
  return {
    tokens: tokens(tally),
    cost_usd: tally.costUsd,
    actions: tally.actions,
    duration_ms: statsOf(tally, now).duration_ms,
  };
}

function tokens(tally: Tally): number {
  return Math.max(tally.beatTokens, tally.callTokens);
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

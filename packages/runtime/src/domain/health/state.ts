import type { HealthPolicy, SessionStatus } from "@fairlead/contract";
import { NOTHING, type Spent } from "./amounts.ts";
import { type Below, type Counted, NONE_COUNTED } from "./below.ts";

/** What a policy can limit: seed 000's budgets, each named as in `policy.health`. */
export const BUDGETS = [
  "min_score",
  "max_runtime_minutes",
  "max_total_tokens",
  "max_cost_usd",
  "max_context_percent",
  "max_failed_tool_calls",
  "max_loop_warnings",
  "max_repeated_plan_events",
  "max_tool_latency_ms",
  "max_events_without_evidence",
] as const satisfies readonly (keyof HealthPolicy)[];
export type Budget = (typeof BUDGETS)[number];

/** One limit that was met: what was measured, against what. */
export interface Crossing {
  readonly budget: Budget;
  readonly limit: number;
  readonly value: number;
  /** Of tokens and dollars: the most that the next call can use, so that a yes covers at least that. */
  readonly next?: number;
  /** Where the next call would cross it: what is used without that call. */
  readonly used?: number;
}

/** What somebody should be able to look up later. */
export interface AuditRow {
  readonly at: string;
  readonly kind: string;
  readonly summary: string;
  readonly ref?: string;
}

/** Where what the model was told came from. */
export interface Provenance {
  readonly source: string;
  readonly subject: string;
  readonly facts: number;
  readonly at: string;
}

/** The last time that the policy was enforced, and what came of it. */
export interface Enforcement {
  readonly action: "approval_request" | "pause";
  readonly crossed: readonly Crossing[];
  readonly reason: string;
  readonly at: string;
  readonly request_id?: string;
  /** `open` until a person has had their say; `moved` where that was to set the limit anew. */
  readonly outcome: "open" | "approved" | "denied" | "resumed" | "moved";
  readonly by?: string;
}

/** Of the turn that began last. */
export interface TurnHealth {
  loop_warnings: number;
  repeated_plans: number;
  fallbacks: number;
  /** What was said or changed since evidence was last seen. */
  unproven: number;
}

/**
 * All that a snapshot is made of, folded from the events of one session. Plain JSON, and bounded: it is kept in a row
 * that changes in the same commit as they do. Changed in place.
 */
export interface HealthState {
  status: SessionStatus;
  /** Only background work can be paused. */
  background: boolean;
  /** Which machine has the files of its workspace. */
  host?: string;
  policy: HealthPolicy;
  /** As somebody set it: holds over what is said by who has not heard of it. */
  chosen?: HealthPolicy;
  attempts: number;
  /** Since when the open turn is driven, in milliseconds; null while none is. */
  active_since: number | null;
  active_ms: number;
  /** The turn waits for its sub-agents; since when they work for it, null while they do not. */
  delegating: boolean;
  away_since: number | null;
  /** It is queued until then, and why. */
  waits: { readonly until: string; readonly reason: string } | null;
  /** When something last came of it. */
  progress_at: number | null;
  tokens: number;
  cost_usd: number;
  /** What sub-agents used that have ended, and that is not among these yet. */
  back: Spent;
  /** What is put aside for the model call under way. */
  reserved: Spent | null;
  context_percent: number;
  /** The fullest that the context was since the policy was last held against it, also where it was compacted since. */
  context_peak: number;
  calls: number;
  failed_calls: number;
  /** Failed calls in a row, up to now. */
  failing: number;
  /** The longest call since the policy was last held against it. */
  latency_ms: number;
  /** The policy has been held against `latency_ms`: the next call begins anew. */
  latency_checked: boolean;
  loop_warnings: number;
  repeated_plans: number;
  /** Of the last calls and the last plan, so that repetitions are known. */
  recent: string[];
  plan: string | null;
  turn: TurnHealth;
  /** Calls that are sub-agents' work: how long these take is told by their own calls. */
  away_calls: readonly string[];
  /** Sub-agents at work, by their session. */
  below: Readonly<Record<string, Below>>;
  /** What those that have ended did. */
  done_below: Counted;
  /** The turn ended without the evidence it owed. */
  contract_failed: boolean;
  provenance: Provenance[];
  audit: AuditRow[];
  enforcement: Enforcement | null;
  /** Limits as far as people have moved them by letting the session go on. */
  allowed: Partial<Record<Budget, number>>;
}

export const newTurnHealth = (): TurnHealth => ({
  loop_warnings: 0,
  repeated_plans: 0,
  fallbacks: 0,
  unproven: 0,
});

export function newHealth(): HealthState {
  return {
    status: "idle",
    background: false,
    policy: {},
    attempts: 0,
    active_since: null,
    active_ms: 0,
    delegating: false,
    away_since: null,
    waits: null,
    progress_at: null,
    tokens: 0,
    cost_usd: 0,
    back: NOTHING,
    reserved: null,
    context_percent: 0,
    context_peak: 0,
    calls: 0,
    failed_calls: 0,
    failing: 0,
    latency_ms: 0,
    latency_checked: true,
    loop_warnings: 0,
    repeated_plans: 0,
    recent: [],
    plan: null,
    turn: newTurnHealth(),
    away_calls: [],
    below: {},
    done_below: NONE_COUNTED,
    contract_failed: false,
    provenance: [],
    audit: [],
    enforcement: null,
    allowed: {},
  };
}

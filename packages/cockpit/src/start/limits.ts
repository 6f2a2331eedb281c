import type { HealthAction, HealthPolicy, SessionPolicy } from "@fairlead/contract";

export type Limit = Exclude<keyof HealthPolicy, "action">;

/** One budget, in words for who sets it. */
export interface LimitField {
  readonly label: string;
  /** What it counts, and what a good value is. */
  readonly hint: string;
  readonly whole?: true;
  /** Zero is no limit that anybody could keep to. */
  readonly positive?: true;
  readonly most?: number;
}

/** Every budget there is: a new one does not compile until it has words. The first few are the ones that people set. */
export const LIMITS: Readonly<Record<Limit, LimitField>> = {
  max_cost_usd: {
    label: "Most dollars",
    hint: "What models cost, for those whose price is known. For example 5.",
  },
  max_total_tokens: {
    label: "Most tokens",
    hint: "All that models read and write. For example 500000.",
    whole: true,
  },
  max_runtime_minutes: {
    label: "Most minutes",
    hint: "Time at work; waiting does not count. For example 60.",
    positive: true,
  },
  max_failed_tool_calls: {
    label: "Most failed tool calls",
    hint: "Calls that ended in an error. For example 10.",
    whole: true,
  },
  max_context_percent: {
    label: "Fullest context, in %",
    hint: "How much of the model's memory one conversation may fill. For example 85.",
    most: 100,
  },
  max_loop_warnings: {
    label: "Most loop warnings",
    hint: "How often it may do the same thing again and again. For example 3.",
    whole: true,
  },
  max_repeated_plan_events: {
    label: "Most repeated plans",
    hint: "How often it may write the same plan anew. For example 3.",
    whole: true,
  },
  max_tool_latency_ms: {
    label: "Slowest tool, in milliseconds",
    hint: "How long one tool call may take. For example 120000.",
  },
  max_events_without_evidence: {
    label: "Most steps without evidence",
    hint: "How long it may go on without anything that proves its work. For example 30.",
    whole: true,
  },
  min_score: {
    label: "Lowest health score",
    hint: "0 to 100, made of all of these. For example 40.",
    most: 100,
  },
};

export const LIMIT_NAMES = Object.keys(LIMITS) as Limit[];

/** As typed: empty is no limit. */
export type Budget = Readonly<Partial<Record<Limit, string>>> & { readonly action: HealthAction };
export const NO_BUDGET: Budget = { action: "approval_request" };

/** What is wrong with what was typed; null: nothing. */
export function limitProblem(name: Limit, typed: string | undefined): string | null {
  const text = typed?.trim() ?? "";
  if (text === "") return null;
  const { whole, positive, most } = LIMITS[name];
  const value = Number(text);
  if (!Number.isFinite(value)) return "Write a number, such as 10.";
  if (value < 0 || (positive === true && value === 0)) return "Write a number above zero.";
  if (whole === true && !Number.isSafeInteger(value)) return "Write a whole number.";
  if (most !== undefined && value > most) return `At most ${most}.`;
  return null;
}

export function isSound(budget: Budget): boolean {
  return LIMIT_NAMES.every((name) => limitProblem(name, budget[name]) === null);
}

/** Undefined when nothing is limited. */
export function policyOf(budget: Budget): SessionPolicy | undefined {
  const limits = LIMIT_NAMES.filter((name) => (budget[name] ?? "").trim() !== "").map((name) => [
    name,
    Number(budget[name]),
  ]);
  if (limits.length === 0) return undefined;
  return { health: { ...(Object.fromEntries(limits) as HealthPolicy), action: budget.action } };
}

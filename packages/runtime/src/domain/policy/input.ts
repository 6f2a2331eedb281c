import type { AhpEvent, SessionStats } from "@fairlead/ahp";

/** Amounts that a budget limits. */
export interface Amounts {
  readonly tokens: number;
  readonly cost_usd: number;
  readonly actions: number;
  readonly duration_ms: number;
}

export interface Budget {
  /** What is not there is not limited. */
  readonly limits: Partial<Amounts>;
  readonly used: Amounts;
}

/** Stands for the names that are not counted apart, because there are too many. */
export const REST = "*";

type Counts = Readonly<Record<string, number>>;

/** How often something happened in the session, the event in question not counted. */
export interface HistoryCounts {
  /** By AHP event type. */
  readonly events: Counts;
  /** Actions, by tool. */
  readonly tools: Counts;
  /** Answers given, by decision. */
  readonly decisions: Counts;
}

/** All that a decision is made from. Equal inputs give equal outcomes. */
export interface PolicyInput {
  readonly event: AhpEvent;
  /** What the log says, not what the agent claims in its context. */
  readonly stats: SessionStats;
  readonly budget: Budget;
  readonly history: HistoryCounts;
  /** The directory the agent works in, absolute. Without it, or where it is no workspace, every absolute path is outside. */
  readonly workspace?: string;
  /** Where no workspace is given, take the one that the agent states, within reason. Only for agents that are trusted. */
  readonly believe_workspace?: boolean;
}

export const NO_STATS: SessionStats = { total_actions: 0, total_tokens: 0, duration_ms: 0, error_count: 0 };
export const NO_BUDGET: Budget = { limits: {}, used: { tokens: 0, cost_usd: 0, actions: 0, duration_ms: 0 } };
export const NO_HISTORY: HistoryCounts = { events: {}, tools: {}, decisions: {} };

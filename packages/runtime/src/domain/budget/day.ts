import { createHash } from "node:crypto";
import type { AnyEvent, ProjectId } from "@fairlead/contract";
import type { Projection } from "../../ports/projection.ts";
import { leftOf } from "../delegation/share.ts";
import { is } from "../event.ts";
import type { Left } from "./reserve.ts";

/** What may be used in one day, UTC. What is left out is not limited. */
export interface DailyLimit {
  readonly tokens?: number | undefined;
  readonly cost_usd?: number | undefined;
}

/**
 * By the name of a project, and of whoever made a session: the actor that tokens speak for, or one token by its id. Two
 * tokens of one actor share what the actor has.
 */
export interface DailyBudgets {
  readonly projects?: Readonly<Record<string, DailyLimit>> | undefined;
  readonly actors?: Readonly<Record<string, DailyLimit>> | undefined;
  readonly tokens?: Readonly<Record<string, DailyLimit>> | undefined;
}

/** Whose a session is. */
export interface Payer {
  readonly project: string | null;
  readonly created_by: string | null;
  /** The token that made it, and those that this was made with. */
  readonly tokens?: readonly string[];
}

/** One who pays: a stream of its own, so that all that use it agree on what is left. */
export interface Account {
  readonly name: string;
  readonly stream: ProjectId;
  readonly limit: DailyLimit;
}

export function accountsOf(
  { projects = {}, actors = {}, tokens = {} }: DailyBudgets,
  { project, created_by, tokens: made = [] }: Payer,
): readonly Account[] {
  return [
    ...account("project", project, projects),
    ...account("actor", created_by, actors),
    ...made.flatMap((token) => account("token", token, tokens)),
  ];
}

function account(kind: string, name: string | null, limits: Readonly<Record<string, DailyLimit>>): Account[] {
  const limit = name !== null && Object.hasOwn(limits, name) ? limits[name] : undefined;
  if (name === null || limit === undefined) return [];
  const hash = createHash("sha256")
    .update(JSON.stringify(["budget", kind, name]))
    .digest("hex");
  return [{ name: `${kind} ${name}`, stream: `prj_${hash.slice(0, 40)}` as ProjectId, limit }];
}

const DAY_MS = 24 * 3_600_000;

export function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

/** When the next day begins. */
export function nextDay(now: number): number {
  return (Math.floor(now / DAY_MS) + 1) * DAY_MS;
}

interface Used {
  readonly tokens: number;
  readonly cost_usd: number;
}

/** One day of one account: what was used, and what is put aside for calls under way. */
export interface DayRow extends Used {
  readonly account: string;
  readonly day: string;
  readonly held: Readonly<Record<string, Used>>;
  readonly at: number;
}

export function dayKey(stream: string, day: string): string {
  return `${stream}/${day}`;
}

/** `counts`: which of what is put aside counts as used. */
export function leftOfDay(
  { tokens, cost_usd }: DailyLimit,
  row: DayRow | undefined,
  counts: (hold_id: string) => boolean = () => true,
): Left {
  const held = Object.entries(row?.held ?? {}).filter(([hold_id]) => counts(hold_id));
  const used = [row ?? { tokens: 0, cost_usd: 0 }, ...held.map(([, one]) => one)];
  const sum = (of: keyof Used) => used.reduce((total, one) => total + one[of], 0);
  return { tokens: leftOf(tokens, sum("tokens")), cost_usd: leftOf(cost_usd, sum("cost_usd")) };
}

export const dayProjection: Projection<DayRow> = {
  kind: "budget-day",
  types: ["runtime.budget.held", "runtime.budget.spent"],
  key: (event) =>
    is(event, "runtime.budget.held") || is(event, "runtime.budget.spent")
      ? dayKey(event.stream, event.data.day)
      : null,
  evolve(row, event: AnyEvent) {
    if (!is(event, "runtime.budget.held") && !is(event, "runtime.budget.spent"))
      throw new Error(`${event.id} is about no budget.`);
    const { account: name, day, hold_id, tokens, cost_usd = 0 } = event.data;
    const { [hold_id]: _, ...others } = row?.held ?? {};
    const before = { account: name, day, tokens: row?.tokens ?? 0, cost_usd: row?.cost_usd ?? 0 };
    const at = Date.parse(event.at);
    // The same call tried again takes the place of what was put aside for it before.
    if (is(event, "runtime.budget.held"))
      return { ...before, held: { ...others, [hold_id]: { tokens, cost_usd } }, at };
    return {
      ...before,
      tokens: before.tokens + tokens,
      cost_usd: before.cost_usd + cost_usd,
      held: others,
      at,
    };
  },
  state: () => "kept",
  at: ({ at }) => at,
};

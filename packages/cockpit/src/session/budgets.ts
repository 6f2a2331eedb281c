import type { HealthSnapshot } from "@fairlead/contract";
import { type Crossing, crossingsOf } from "@fairlead/contract/view";
import { count, money } from "./numbers.ts";

/** How much of one budget is used. */
export interface BudgetUse {
  readonly name: string;
  readonly label: string;
  readonly used: number;
  /** The limit that holds: the policy's, or as far as somebody has moved it. */
  readonly limit: number;
  readonly text: string;
  /** What the next call may take, where the session is held because of it. */
  readonly next: string | null;
}

type Print = (value: number) => string;
const plain: Print = (value) => String(Math.round(value * 10) / 10);
const percent: Print = (value) => `${plain(value)} %`;
const minutes: Print = (value) => `${plain(value)} min`;

const KNOWN: Readonly<Record<string, readonly [label: string, print: Print]>> = {
  max_total_tokens: ["Tokens", count],
  max_cost_usd: ["Cost", money],
  max_runtime_minutes: ["Runtime", minutes],
  max_context_percent: ["Context used", percent],
  max_failed_tool_calls: ["Failed calls", plain],
  max_loop_warnings: ["Loop warnings", plain],
  max_repeated_plan_events: ["Repeated plans", plain],
  max_tool_latency_ms: ["Tool latency", (value) => `${plain(value)} ms`],
  max_events_without_evidence: ["Without evidence", plain],
  min_score: ["Health score", plain],
};

/** What a budget is called, also one of a newer server. */
export function budgetLabel(name: string): string {
  return KNOWN[name]?.[0] ?? name.replace(/^max_/, "").replaceAll("_", " ");
}

function budgetText(name: string, value: number): string {
  return (KNOWN[name]?.[1] ?? plain)(value);
}

/** A limit that was reached: what is used, of what, and what would come on top. */
export function crossingText({ budget, limit, value, used }: Crossing): string {
  const print = (amount: number): string => budgetText(budget, amount);
  if (budget === "min_score") return `${print(value)}, and ${print(limit)} is the least allowed`;
  const now = `${print(used ?? value)} of ${print(limit)} used`;
  return used === null ? now : `${now}, and the next call may take ${print(value - used)} more`;
}

/** What was counted here since the snapshot was made. */
export interface Counted {
  readonly tokens: number;
  readonly cost: number;
}

const PLACES: readonly string[] = Object.keys(KNOWN);
const placeOf = ({ name }: BudgetUse): number =>
  (PLACES.indexOf(name) + PLACES.length + 1) % (PLACES.length + 1);

/** Put aside before a call is made, so that these can stop one that would take too much. */
const NEXT: ReadonlySet<string> = new Set(["max_total_tokens", "max_cost_usd"]);

/** What the next step would come to, where the session is held because of it. */
function crossedOf(health: HealthSnapshot | null): ReadonlyMap<string, number> {
  const { outcome, crossed } = (health?.policy?.enforcement ?? {}) as {
    readonly outcome?: unknown;
    readonly crossed?: unknown;
  };
  if (outcome !== "open") return new Map();
  return new Map(crossingsOf({ crossed }).map(({ budget, value }) => [budget, value]));
}

/** Every budget that the snapshot measures, always in the same order: what is read stays in its place. A snapshot is coarse, so what was counted since holds over it. */
export function budgetsOf(health: HealthSnapshot | null, counted: Counted): readonly BudgetUse[] {
  const since = new Map([
    ["max_total_tokens", counted.tokens],
    ["max_cost_usd", counted.cost],
  ]);
  const crossed = crossedOf(health);
  return Object.entries(health?.budget_pressure ?? {})
    .flatMap(([name, said]): BudgetUse[] => {
      const { used, limit } = (said ?? {}) as { readonly used?: unknown; readonly limit?: unknown };
      if (typeof used !== "number" || typeof limit !== "number") return [];
      const now = Math.max(used, since.get(name) ?? 0);
      const next = (crossed.get(name) ?? 0) - now;
      return [
        {
          name,
          label: budgetLabel(name),
          used: now,
          limit,
          text: `${budgetText(name, now)} of ${budgetText(name, limit)}`,
          next: NEXT.has(name) && next > 0 ? `the next call: up to ${budgetText(name, next)}` : null,
        },
      ];
    })
    .toSorted((a, b) => placeOf(a) - placeOf(b));
}

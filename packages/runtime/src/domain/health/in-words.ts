import type { Budget, Crossing } from "./state.ts";

const numbers = new Intl.NumberFormat("en-US", { maximumFractionDigits: 4 });
const said = (value: number): string => numbers.format(value);

/** What was reached, for a person. A new budget does not compile until it has words. */
const WORDS: Readonly<Record<Budget, (value: string, limit: string) => string>> = {
  min_score: (value, limit) => `its health score is ${value}, and ${limit} is the lowest allowed`,
  max_runtime_minutes: (value, limit) => `${value} of ${limit} minutes of work are used`,
  max_total_tokens: (value, limit) => `${value} of ${limit} tokens are used`,
  max_cost_usd: (value, limit) => `$${value} of $${limit} are used`,
  max_context_percent: (value, limit) => `its context is ${value} % full, and ${limit} % are allowed`,
  max_failed_tool_calls: (value, limit) => `${value} tool calls failed, and ${limit} are allowed`,
  max_loop_warnings: (value, limit) => `${value} times it went in a circle, and ${limit} are allowed`,
  max_repeated_plan_events: (value, limit) => `${value} times it repeated a plan, and ${limit} are allowed`,
  max_tool_latency_ms: (value, limit) => `its tools take ${value} milliseconds, and ${limit} are allowed`,
  max_events_without_evidence: (value, limit) =>
    `${value} answers came without evidence, and ${limit} are allowed`,
};

export function inWords(crossed: readonly Crossing[]): string {
  const each = crossed.map(({ budget, limit, value, used }) => {
    if (used === undefined) return WORDS[budget](said(value), said(limit));
    const more = `${budget === "max_cost_usd" ? "$" : ""}${said(value - used)}`;
    return `${WORDS[budget](said(used), said(limit))}, and the next call may take ${more} more`;
  });
  return `The session has reached what its policy allows: ${each.join("; ")}.`;
}

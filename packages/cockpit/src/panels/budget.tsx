import type { HealthPolicy } from "@fairlead/contract";
import type { Summary } from "@fairlead/contract/view";
import { count, money } from "../session/numbers.ts";
import { Meter } from "../ui/parts.tsx";
import type { Detail } from "./detail.ts";
import { Facts, Panel } from "./panel.tsx";

interface Used {
  readonly tokens?: number;
  readonly cost_usd?: number;
  readonly runtime_minutes?: number;
  readonly context_percent?: number;
  readonly failed_tool_calls?: number;
  readonly loop_warnings?: number;
  readonly repeated_plan_events?: number;
  readonly events_without_evidence?: number;
}

type Budget = readonly [
  policy: keyof HealthPolicy,
  used: keyof Used,
  label: string,
  print: (value: number) => string,
];

const plain = (value: number): string => String(Math.round(value * 10) / 10);
const BUDGETS: readonly Budget[] = [
  ["max_total_tokens", "tokens", "Tokens", count],
  ["max_cost_usd", "cost_usd", "Cost", money],
  ["max_runtime_minutes", "runtime_minutes", "Runtime, minutes", plain],
  ["max_context_percent", "context_percent", "Context, percent", plain],
  ["max_failed_tool_calls", "failed_tool_calls", "Failed tool calls", plain],
  ["max_loop_warnings", "loop_warnings", "Loop warnings", plain],
  ["max_repeated_plan_events", "repeated_plan_events", "Repeated plans", plain],
  ["max_events_without_evidence", "events_without_evidence", "Events without evidence", plain],
];

/** Cost, tokens and context, and a meter for each budget the session is held to. */
export function BudgetPanel({
  summary,
  detail,
}: {
  readonly summary: Summary;
  readonly detail: Detail | null;
}) {
  const { usage, contextLimit } = summary;
  const health = summary.health ?? detail?.session.health ?? null;
  const used = ((health as { usage?: Used } | null)?.usage ?? {}) as Used;
  const policy = (health?.policy?.health ?? {}) as HealthPolicy;
  const limit = contextLimit ?? detail?.contextTokens ?? null;
  const budgets = BUDGETS.filter(([name]) => typeof policy[name] === "number");
  const tokens = Math.max(usage.input + usage.output + usage.earlier, used.tokens ?? 0);
  return (
    <Panel
      icon="clock"
      title="Cost and budgets"
      note={usage.cost === null ? `${count(tokens)} tokens` : money(usage.cost)}
      open
    >
      {limit === null ? null : (
        <Meter
          label="Context"
          value={usage.context}
          max={limit}
          text={`${count(usage.context)} of ${count(limit)}`}
        />
      )}
      {budgets.map(([name, field, label, print]) => (
        <Meter
          key={name}
          label={label}
          value={used[field] ?? 0}
          max={policy[name] as number}
          text={`${print(used[field] ?? 0)} of ${print(policy[name] as number)}`}
        />
      ))}
      <Facts
        facts={[
          ["Read", `${count(usage.input)} tokens`],
          ["Written", `${count(usage.output)} tokens`],
          ["Earlier", usage.earlier === 0 ? null : `${count(usage.earlier)} tokens`],
          ["From cache", usage.cached === 0 ? null : `${count(usage.cached)} tokens`],
          ["Model calls", usage.calls],
          ["Cost", usage.cost === null ? "price not known" : money(usage.cost)],
          ["Context", limit === null ? `${count(usage.context)} tokens` : null],
        ]}
      />
    </Panel>
  );
}

import type { Summary } from "@fairlead/contract/view";
import { budgetsOf } from "../session/budgets.ts";
import { healthOf } from "../session/health.ts";
import { count, money } from "../session/numbers.ts";
import { Meter } from "../ui/parts.tsx";
import type { Detail } from "./detail.ts";
import { Facts, Panel } from "./panel.tsx";

/** Cost, tokens and context, and a meter for each budget the session is held to. */
export function BudgetPanel({
  summary,
  detail,
}: {
  readonly summary: Summary;
  readonly detail: Detail | null;
}) {
  const { usage, contextLimit } = summary;
  const limit = contextLimit ?? detail?.contextTokens ?? null;
  const counted = { tokens: usage.input + usage.output + usage.earlier, cost: usage.cost ?? 0 };
  const budgets = budgetsOf(healthOf(summary, detail), counted);
  return (
    <Panel
      icon="clock"
      title="Cost and budgets"
      note={usage.cost === null ? `${count(counted.tokens)} tokens` : money(usage.cost)}
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
      {budgets.map(({ name, label, used, limit: most, text }) => (
        <Meter key={name} label={label} value={used} max={most} text={text} />
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

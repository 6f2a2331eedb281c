import type { Summary } from "@fairlead/contract/view";
import { count, money } from "../session/numbers.ts";
import { Facts } from "../ui/facts.tsx";
import { Panel } from "./panel.tsx";

/** What its tokens and dollars are made of. How much of its budgets that is stands in the head. */
export function CostPanel({ summary: { usage, partial } }: { readonly summary: Summary }) {
  const tokens = usage.input + usage.output + usage.earlier;
  if (tokens === 0 && usage.calls === 0) return null;
  return (
    <Panel
      icon="clock"
      title="Cost and tokens"
      note={usage.cost === null ? `${count(tokens)} tokens` : money(usage.cost)}
      open
    >
      <Facts
        facts={[
          ["Read", `${count(usage.input)} tokens`],
          ["Written", `${count(usage.output)} tokens`],
          ["Earlier", usage.earlier === 0 ? null : `${count(usage.earlier)} tokens`],
          ["From cache", usage.cached === 0 ? null : `${count(usage.cached)} tokens`],
          ["Model calls", `${count(usage.calls)}${partial ? "+" : ""}`],
          ["Cost", usage.cost !== null ? money(usage.cost) : usage.calls === 0 ? null : "price not known"],
          ["Context", `${count(usage.context)} tokens`],
        ]}
      />
    </Panel>
  );
}

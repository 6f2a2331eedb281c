import type { Crossing } from "@fairlead/contract/view";
import { budgetLabel, budgetText } from "../session/budgets.ts";

/** Which limits were reached, in words. */
export function Crossings({ crossed }: { readonly crossed: readonly Crossing[] }) {
  return (
    <ul role="list" className="plain-list small">
      {crossed.map(({ budget, limit, value }) => (
        <li key={budget}>
          {budgetLabel(budget)}: the limit is <strong>{budgetText(budget, limit)}</strong>, and it comes to{" "}
          <strong>{budgetText(budget, value)}</strong>.
        </li>
      ))}
    </ul>
  );
}

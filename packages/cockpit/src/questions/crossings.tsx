import type { Crossing } from "@fairlead/contract/view";
import { budgetLabel, crossingText } from "../session/budgets.ts";

/** Which limits were reached: what is used, of what. */
export function Crossings({ crossed }: { readonly crossed: readonly Crossing[] }) {
  return (
    <ul role="list" className="plain-list small">
      {crossed.map((crossing) => (
        <li key={crossing.budget}>
          <strong>{budgetLabel(crossing.budget)}</strong>: {crossingText(crossing)}.
        </li>
      ))}
    </ul>
  );
}

import type { HealthPolicy, SessionPolicy } from "@fairlead/contract";
import { useId } from "react";

type Limit = "max_total_tokens" | "max_cost_usd" | "max_runtime_minutes" | "max_failed_tool_calls";
/** As typed: empty is no limit. */
export type Budget = Readonly<Record<Limit, string>>;
export const NO_BUDGET: Budget = {
  max_total_tokens: "",
  max_cost_usd: "",
  max_runtime_minutes: "",
  max_failed_tool_calls: "",
};

const LABELS: Readonly<Record<Limit, string>> = {
  max_total_tokens: "Most tokens",
  max_cost_usd: "Most dollars",
  max_runtime_minutes: "Most minutes",
  max_failed_tool_calls: "Most failed tool calls",
};
const NAMES = Object.keys(LABELS) as Limit[];

/** What background work is held to. When it crosses one, a person is asked. */
export function BudgetFields(props: {
  readonly budget: Budget;
  readonly onChange: (budget: Budget) => void;
}) {
  const { budget, onChange } = props;
  const id = useId();
  return (
    <fieldset className="fields budget">
      <legend className="small">Budgets: you are asked when one is crossed</legend>
      {NAMES.map((name) => (
        <div key={name} className="field">
          <label htmlFor={`${id}-${name}`}>{LABELS[name]}</label>
          <input
            id={`${id}-${name}`}
            className="input"
            type="number"
            min="0"
            step="any"
            inputMode="decimal"
            placeholder="No limit"
            value={budget[name]}
            onChange={(event) => onChange({ ...budget, [name]: event.target.value })}
          />
        </div>
      ))}
    </fieldset>
  );
}

/** Undefined when nothing is limited. */
export function policyOf(budget: Budget): SessionPolicy | undefined {
  const limits = NAMES.filter((name) => budget[name].trim() !== "").map((name) => [
    name,
    Number(budget[name]),
  ]);
  return limits.length === 0 ? undefined : { health: Object.fromEntries(limits) as HealthPolicy };
}

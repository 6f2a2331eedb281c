import { useId } from "react";
import { Choice } from "./choice.tsx";
import { type Budget, type Limit, LIMIT_NAMES, LIMITS, limitProblem } from "./limits.ts";

interface BudgetProps {
  readonly budget: Budget;
  readonly onChange: (budget: Budget) => void;
}

/** Those that most people set; the others are for who looks for them. */
const FIRST = 3;

const ACTIONS = {
  chat: { approval_request: "Ask me whether it may go on", pause: "End the turn" },
  background: { approval_request: "Ask me whether it may go on", pause: "Pause until somebody resumes it" },
} as const;

/** What a session is held to. */
export function BudgetFields(props: BudgetProps & { readonly kind: keyof typeof ACTIONS }) {
  const { budget, onChange, kind } = props;
  return (
    <fieldset className="budget stack">
      <legend className="small">Budgets: it stops where one is reached</legend>
      <div className="fields three">
        {LIMIT_NAMES.slice(0, FIRST).map((name) => (
          <LimitInput key={name} name={name} budget={budget} onChange={onChange} />
        ))}
      </div>
      <details>
        <summary className="small">Advanced budgets</summary>
        <div className="stack">
          <Choice
            label="When a budget is reached"
            value={budget.action}
            options={ACTIONS[kind]}
            onChange={(action) => onChange({ ...budget, action })}
          />
          <div className="fields">
            {LIMIT_NAMES.slice(FIRST).map((name) => (
              <LimitInput key={name} name={name} budget={budget} onChange={onChange} />
            ))}
          </div>
        </div>
      </details>
    </fieldset>
  );
}

function LimitInput({ name, budget, onChange }: BudgetProps & { readonly name: Limit }) {
  const id = useId();
  const { label, hint } = LIMITS[name];
  const problem = limitProblem(name, budget[name]);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="input"
        inputMode="decimal"
        placeholder="No limit"
        aria-invalid={problem !== null}
        aria-describedby={`${id}-hint`}
        value={budget[name] ?? ""}
        onChange={(event) => onChange({ ...budget, [name]: event.target.value })}
      />
      <span id={`${id}-hint`} className={problem === null ? "dim tiny" : "tiny wrong"}>
        {problem ?? hint}
      </span>
    </div>
  );
}

import { type Left, leastLeft } from "../../domain/budget/reserve.ts";
import { givenTo } from "../../domain/delegation/bounds.ts";
import { leftOf } from "../../domain/delegation/share.ts";
import { limitOf } from "../../domain/health/budgets.ts";
import { usedBy } from "../../domain/supervision/tally.ts";
import { type Drive, turnOf } from "../loop/context.ts";

type Spending = Pick<Drive, "journal" | "supervision" | "clock">;

/** What is left of what the session's own policy allows it. */
function leftOfPolicy({ journal }: Pick<Drive, "journal">): Left {
  const { state } = journal.health;
  return {
    tokens: leftOf(limitOf(state, state.policy, "max_total_tokens"), state.tokens),
    cost_usd: leftOf(limitOf(state, state.policy, "max_cost_usd"), state.cost_usd),
  };
}

/** What is left of what every session may use, and of what a sub-agent was given. */
export function leftElsewhere({ journal, supervision, clock }: Spending): Left {
  const { tokens, cost_usd } = supervision.budget;
  const used = usedBy(journal.tally, clock.now());
  const own = givenTo(journal.state);
  const turn = turnOf({ journal });
  return leastLeft(
    { tokens: leftOf(tokens, used.tokens), cost_usd: leftOf(cost_usd, used.cost_usd) },
    {
      tokens: leftOf(own?.max_tokens, turn.tokens),
      cost_usd: leftOf(own?.max_cost_usd, turn.cost_usd),
    },
  );
}

/** What the session may still use, by itself and by all that it delegates. */
export function leftHere(drive: Spending): Left {
  return leastLeft(leftOfPolicy(drive), leftElsewhere(drive));
}

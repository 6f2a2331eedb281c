import type { Delegation } from "@fairlead/contract";
import type { Order } from "../../domain/delegation/order.ts";
import { least, leftOf, share } from "../../domain/delegation/share.ts";
import { delegationOf } from "../../domain/delegation/surface.ts";
import { given } from "../../domain/given.ts";
import { usedBy } from "../../domain/supervision/tally.ts";
import { type Drive, turnOf } from "../loop/context.ts";

type Budget = Pick<Delegation, "max_tokens" | "max_cost_usd" | "max_steps">;

/**
 * What each of these sub-agents may use: at most what is asked for, what one may have, and its part of what is left of
 * the session above. A sentence for the model where nothing is left. Sub-agents of one session are started together and
 * waited for together, so what is left here is left: none that runs could still use it.
 */
export function budgetsFor(drive: Drive, orders: readonly Order[]): readonly (Budget | string)[] {
  const { limits } = drive;
  const left = leftHere(drive);
  const tokens = share(
    left.tokens,
    orders.map(({ max_tokens }) => least(max_tokens, limits.childTokens)),
    true,
  );
  const cost = share(
    left.cost_usd,
    orders.map(({ max_cost_usd }) => least(max_cost_usd, limits.childCostUsd)),
    false,
  );
  return orders.map((order, i) => {
    if (tokens[i] === 0 || cost[i] === 0)
      return "Not delegated: nothing is left of the budget of this session for it.";
    const max_steps = least(order.max_steps, limits.childSteps);
    return given({ max_tokens: tokens[i], max_cost_usd: cost[i], max_steps });
  });
}

/** Of what this session may use as a whole, and of what it was given itself where it is a sub-agent's. */
function leftHere({ journal, supervision, clock }: Drive) {
  const { tokens, cost_usd } = supervision.budget;
  const used = usedBy(journal.tally, clock.now());
  const own = delegationOf(journal.state);
  const turn = turnOf({ journal });
  return {
    tokens: least(leftOf(tokens, used.tokens), leftOf(own?.max_tokens, turn.tokens)),
    cost_usd: least(leftOf(cost_usd, used.cost_usd), leftOf(own?.max_cost_usd, turn.cost_usd)),
  };
}

import type { Delegation } from "@fairlead/contract";
import { givenTo } from "../../domain/delegation/bounds.ts";
import type { Order } from "../../domain/delegation/order.ts";
import { least, share } from "../../domain/delegation/share.ts";
import { given } from "../../domain/given.ts";
import { leftHere } from "../budget/left.ts";
import type { Drive } from "../loop/context.ts";

type Budget = Pick<Delegation, "max_tokens" | "max_cost_usd" | "max_steps">;

/**
 * What each of these sub-agents may use: at most what is asked for, what one may have, and its part of what is left of
 * the session above; of steps, never more than that one was given. A sentence for the model where nothing is left. Sub-agents of one session are started together and
 * waited for together, so what is left here is left: none that runs could still use it.
 */
export function budgetsFor(drive: Drive, orders: readonly Order[]): readonly (Budget | string)[] {
  const { limits, journal } = drive;
  const steps = givenTo(journal.state)?.max_steps;
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
    const max_steps = least(order.max_steps, limits.childSteps, steps);
    return given({ max_tokens: tokens[i], max_cost_usd: cost[i], max_steps });
  });
}

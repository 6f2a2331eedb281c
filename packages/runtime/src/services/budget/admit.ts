import type { NewEvent } from "@fairlead/contract";
import {
  type Left,
  isLimited,
  isUnpriced,
  leastLeft,
  leastNeed,
  type Reserve,
  reserveFor,
} from "../../domain/budget/reserve.ts";
import { leftOfDay } from "../../domain/budget/day.ts";
import { contextTokens } from "../../domain/context/estimate.ts";
import { limitOf } from "../../domain/health/budgets.ts";
import type { Crossing } from "../../domain/health/state.ts";
import type { Message, Model } from "../../ports/model.ts";
import type { Tool } from "../../ports/tool.ts";
import { enforce } from "../health/enforce.ts";
import { emitTurn } from "../loop/begin.ts";
import { type Drive, envelopeOf, turnOf } from "../loop/context.ts";
import { type Held, holdFrom, outOfDay, payersOf, standsInLine } from "./days.ts";
import { leftElsewhere, leftHere, leftOfPolicy } from "./left.ts";

/** Undefined: nothing limits this call. */
export type Admitted = { readonly reserve: Reserve | undefined };

/**
 * Puts aside what the call can use at most, where something limits the session: on record before the model is asked,
 * so that also a call that is lost counts. Undefined when nothing suffices; then the turn has ended, waits or is asked
 * about.
 */
export async function admit(
  drive: Drive,
  model: Model,
  messages: readonly Message[],
  tools: readonly Tool[],
  refused?: () => void,
): Promise<Admitted | undefined> {
  const payers = await payersOf(drive);
  const left = leftHere(drive);
  if (!isLimited(left) && payers.length === 0) return { reserve: undefined };
  const days = payers.map(({ limit }) => leftOfDay(limit, undefined));
  if (isUnpriced(leastLeft(left, ...days), model.price)) {
    if (refused === undefined) unpriced(drive, model);
    else refused();
    return undefined;
  }
  const specs = tools.map(({ spec }) => spec);
  const input = contextTokens(messages, specs, drive.tokens(model.provider));
  const reserve = reserveFor(input, left, model.price);
  if (reserve === undefined) {
    if (refused === undefined) refuse(drive, input, model);
    else refused();
    return undefined;
  }
  if (payers.length === 0) {
    drive.journal.emit([reservedEvent(drive, { reserve })]);
    return { reserve };
  }
  const held = await holdFrom(drive, payers, (today) =>
    reserveFor(input, leastLeft(left, today), model.price),
  );
  if (held === "used" || held === "crowded") {
    if (refused !== undefined) refused();
    else if (held === "used") outOfDay(drive, payers);
    else standsInLine(drive, payers);
    return undefined;
  }
  drive.journal.emit([reservedEvent(drive, held)]);
  return { reserve: held.reserve };
}

/** Fails closed: more could be spent than anybody allowed, and nobody would see it. */
function unpriced(drive: Drive, { provider, id }: Model): void {
  const error = `Dollars are limited here, and the price of ${id} (${provider}) is not known. Give it one in the configuration, in dollars for a million tokens: price: {input: 0, output: 0} for a model that is free.`;
  emitTurn(drive, { kind: "fail", code: "budget", error });
}

/** The policy says what is done about its own budgets; what others gave is simply spent. */
function refuse(drive: Drive, input: number, model: Model): void {
  const crossed = shortOf(drive, leastNeed(input, model.price));
  if (crossed.length > 0 && reserveFor(input, leftElsewhere(drive), model.price) !== undefined)
    return enforce(drive, crossed);
  emitTurn(drive, { kind: "fail", code: "budget", error: "What is left of its budget is too little." });
}

function shortOf(drive: Drive, need: Omit<Reserve, "max_output_tokens">): readonly Crossing[] {
  const { state } = drive.journal.health;
  const left: Left = leftOfPolicy(drive);
  const found: Crossing[] = [];
  const tokens = limitOf(state, state.policy, "max_total_tokens");
  if (tokens !== undefined && need.tokens > (left.tokens ?? Infinity))
    found.push({ budget: "max_total_tokens", limit: tokens, value: state.tokens + need.tokens });
  const cost = limitOf(state, state.policy, "max_cost_usd");
  if (cost !== undefined && (need.cost_usd ?? 0) > (left.cost_usd ?? Infinity))
    found.push({ budget: "max_cost_usd", limit: cost, value: state.cost_usd + (need.cost_usd ?? 0) });
  return found;
}

function reservedEvent(
  drive: Drive,
  { reserve, accounts, day }: Pick<Held, "reserve"> & Partial<Held>,
): NewEvent {
  const { tokens, cost_usd } = reserve;
  const { turn_id, step, tries } = turnOf(drive);
  return {
    ...envelopeOf(drive),
    type: "runtime.budget.reserved",
    data: {
      turn_id,
      step: step + 1,
      attempt: tries + 1,
      tokens,
      ...(cost_usd === undefined ? {} : { cost_usd }),
      ...(accounts === undefined || day === undefined ? {} : { accounts: [...accounts], day }),
    },
  };
}

import { type Amount, least } from "../delegation/share.ts";
import { mostOf } from "../loop/cost.ts";
import type { Price } from "../../ports/model.ts";

/** What is left of all that limits a session; undefined is not limited. */
export interface Left {
  readonly tokens: Amount;
  readonly cost_usd: Amount;
}

/** The most that one call may use. */
export interface Reserve {
  readonly tokens: number;
  readonly cost_usd?: number;
  /** What the model is held to, so that it is the most. */
  readonly max_output_tokens: number;
}

/** No answer is held to less: it would be none. */
export const LEAST_OUTPUT = 16;
/** The longest answer that is put aside for, where more is left than that. */
export const MOST_OUTPUT = 16_384;

export const isLimited = ({ tokens, cost_usd }: Left): boolean =>
  tokens !== undefined || cost_usd !== undefined;

export function leastLeft(...lefts: readonly Left[]): Left {
  return {
    tokens: least(...lefts.map(({ tokens }) => tokens)),
    cost_usd: least(...lefts.map(({ cost_usd }) => cost_usd)),
  };
}

/**
 * Puts aside what a call with so many tokens of input can use at most: its answer is held to what is left. Undefined
 * where that does not suffice for any answer, and where dollars are limited and nobody knows the price.
 */
export function reserveFor(input: number, left: Left, price: Price | undefined): Reserve | undefined {
  const byTokens = left.tokens === undefined ? Infinity : left.tokens - input;
  if (isUnpriced(left, price)) return undefined;
  const byCost = price === undefined ? Infinity : affordable(input, left.cost_usd, price);
  const max_output_tokens = Math.floor(Math.min(MOST_OUTPUT, byTokens, byCost));
  if (max_output_tokens < LEAST_OUTPUT) return undefined;
  return { ...spentBy(input, max_output_tokens, price), max_output_tokens };
}

/** Nobody can say what a call costs, and somebody said what it may: a model that is free says so with a price of 0. */
export function isUnpriced({ cost_usd }: Left, price: Price | undefined): boolean {
  return cost_usd !== undefined && price === undefined;
}

type Amounts = Omit<Reserve, "max_output_tokens">;

/** The least that a call with so much input needs, and the most that is put aside for one. */
export interface CallNeed extends Amounts {
  readonly most: Amounts;
}

export function callNeed(input: number, price: Price | undefined): CallNeed {
  return { ...spentBy(input, LEAST_OUTPUT, price), most: spentBy(input, MOST_OUTPUT, price) };
}

function spentBy(input: number, output: number, price: Price | undefined): Amounts {
  const cost = price === undefined ? undefined : mostOf(input, output, price);
  return { tokens: input + output, ...(cost === undefined ? {} : { cost_usd: cost }) };
}

function affordable(input: number, left: Amount, price: Price): number {
  if (left === undefined) return Infinity;
  const rest = left - mostOf(input, 0, price);
  if (rest < 0) return 0;
  return price.output === 0 ? Infinity : (rest * 1_000_000) / price.output;
}

import type { NewEvent } from "@fairlead/contract";
import {
  type CallNeed,
  callNeed,
  type Left,
  isLimited,
  isUnpriced,
  leastLeft,
  type Reserve,
  reserveFor,
} from "../../domain/budget/reserve.ts";
import { leftOfDay } from "../../domain/budget/day.ts";
import { contextTokens } from "../../domain/context/estimate.ts";
import { givenTo } from "../../domain/delegation/bounds.ts";
import { toldSoFar } from "../../domain/delegation/surface.ts";
import { plus } from "../../domain/health/amounts.ts";
import { isUseNews } from "../../domain/health/said-below.ts";
import { isOverdrawn, leftOfTree, limitsSpending, shortOfTree } from "../../domain/health/spent.ts";
import type { Crossing, HealthState } from "../../domain/health/state.ts";
import type { Message, Model } from "../../ports/model.ts";
import type { Tool } from "../../ports/tool.ts";
import { enforce } from "../health/enforce.ts";
import { enforceAbove, type Tree, treeOf } from "../health/tree.ts";
import { emitTurn } from "../loop/begin.ts";
import { parkFor } from "../loop/consult.ts";
import { type Drive, envelopeOf, turnOf } from "../loop/context.ts";
import { type Held, holdFrom, outOfDay, payersOf, spread, standsInLine, tooSmall } from "./days.ts";
import { leftElsewhere, leftHere } from "./left.ts";
import { inLine } from "./line.ts";
import { release } from "./settle.ts";

const NOT_LIMITED: Left = { tokens: undefined, cost_usd: undefined };

/** How long a sub-agent waits for calls of others. */
const IN_LINE_MS = 1_000;

/** Undefined: nothing limits this call. */
export type Admitted = { readonly reserve: Reserve | undefined };

/**
 * Puts aside what the call can use at most, where something limits the session: on record before the model is asked,
 * so that also a call that is lost counts. Undefined when nothing suffices; then the turn has ended, waits or is asked
 * about.
 */
export async function admit(drive: Drive, ...call: Call): Promise<Admitted | undefined> {
  const delegation = givenTo(drive.journal.state);
  if (delegation === null) return admitFrom(drive, undefined, ...call);
  // One after another of those that share what is left above them: the next one sees what this one has put aside.
  return inLine(drive.log, delegation.root_session_id, async () => {
    const tree = await treeOf(drive, limitsSpending);
    if (tree !== undefined) tellUsed(drive, tree);
    const admitted = await admitFrom(drive, tree, ...call);
    if (tree === undefined) return admitted;
    await drive.journal.flush();
    if (admitted?.reserve === undefined || !drive.log.shared) return admitted;
    return (await stillFits(drive)) ? admitted : undefined;
  });
}

/** Who looks at the session at the top sees what is used for it while it waits, and not only when that has ended. */
function tellUsed({ journal, session }: Drive, { top, own }: Tree): void {
  const { tokens, cost_usd } = plus(own, own.back);
  if (!isUseNews(top, session, { tokens, cost_usd })) return;
  const soFar = { tokens, ...(cost_usd === 0 ? {} : { cost_usd }) };
  for (const told of toldSoFar(journal.state, session, soFar)) journal.beside(told);
}

/**
 * Another process may have put aside for a call of its own at the same moment, from the same that was left. What both put
 * aside is on record by now, so whoever of them was later sees it: no call is made that does not fit beside all others. Who
 * finds that it does not gives it back, and comes again at another moment than the other.
 */
async function stillFits(drive: Drive): Promise<boolean> {
  const tree = await treeOf(drive, limitsSpending);
  if (tree === undefined || !isOverdrawn(tree.top, [tree.own, ...tree.others])) return true;
  release(drive);
  const { pauses } = turnOf(drive);
  const most = IN_LINE_MS * 2 ** Math.min(4, pauses);
  parkFor(drive, IN_LINE_MS + spread(`${drive.session}/${pauses}`) * most, "Others put aside what was left.");
  return false;
}

type Call = [model: Model, messages: readonly Message[], tools: readonly Tool[], refused?: () => void];

async function admitFrom(
  drive: Drive,
  tree: Tree | undefined,
  ...[model, messages, tools, refused]: Call
): Promise<Admitted | undefined> {
  const payers = await payersOf(drive);
  const above = tree === undefined ? NOT_LIMITED : leftOfTree(tree.top, [tree.own, ...tree.others]);
  const left = leastLeft(leftHere(drive), above);
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
    if (refused === undefined) await refuse(drive, tree, input, model);
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
  if (typeof held === "string") {
    if (refused !== undefined) refused();
    else if (held === "used") await outOfDay(drive, payers);
    else if (held === "too_small") tooSmall(drive, payers);
    else await standsInLine(drive, payers);
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
async function refuse(drive: Drive, tree: Tree | undefined, input: number, model: Model): Promise<void> {
  const need = callNeed(input, model.price);
  const crossed = shortOf(drive, need);
  const elsewhere = reserveFor(input, leftElsewhere(drive), model.price) !== undefined;
  if (crossed.length > 0 && elsewhere) return enforce(drive, crossed);
  if (tree !== undefined && elsewhere) return shortAbove(drive, tree, need);
  emitTurn(drive, { kind: "fail", code: "budget", error: "What is left of its budget is too little." });
}

/** What is left above it does not suffice. What others have put aside for calls under way may be left after these. */
async function shortAbove(drive: Drive, tree: Tree, need: CallNeed): Promise<void> {
  const settled = tree.others.map((one) => ({ ...one, reserved: null }));
  const over = (top: HealthState) => shortOfTree(top, [tree.own, ...settled], need);
  if (over(tree.top).length > 0) return enforceAbove(drive, tree, over);
  parkFor(drive, IN_LINE_MS, "Others have put aside what is left.");
}

function shortOf({ journal }: Drive, need: CallNeed): readonly Crossing[] {
  return shortOfTree(journal.health.state, [], need);
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

import { createHash } from "node:crypto";
import type { NewEvent, SessionId, StreamId } from "@fairlead/contract";
import {
  type Account,
  accountsOf,
  dayKey,
  dayOf,
  type DayRow,
  leftOfDay,
  nextDay,
} from "../../domain/budget/day.ts";
import { type Left, leastLeft, type Reserve } from "../../domain/budget/reserve.ts";
import { givenTo } from "../../domain/delegation/bounds.ts";
import type { Reserved } from "../../domain/loop/state.ts";
import type { StoredToken } from "../../domain/token.ts";
import type { EventLog, StreamSpec, StreamWrite } from "../../ports/event-log.ts";
import { refused } from "../refusal.ts";
import { emitTurn } from "../loop/begin.ts";
import { parkFor } from "../loop/consult.ts";
import { type Drive, turnOf } from "../loop/context.ts";
import { sleep } from "../loop/sleep.ts";
import { loadHealth } from "../health/load.ts";
import { inLine } from "./line.ts";
import { isBackground } from "../../domain/kernel/background.ts";

const SPEC: StreamSpec = {
  owner: "system",
  kind: "budget",
  project: null,
  broadcast: false,
  created_by: null,
};

/** So often it is tried again at once; whoever still comes too late waits a little first. */
const AT_ONCE = 3;
/** How long a call stands in line behind others that take from the same account. */
const LINE_MS = 30_000;

/** What was put aside, and from whom. */
export interface Held {
  readonly reserve: Reserve;
  readonly accounts: readonly string[];
  readonly day: string;
}

/** Why nothing was put aside: too little is left today, or others kept taking at the same moment. */
export type NotHeld = "used" | "crowded";

/** Who pays for a session by the day; nobody where nothing is configured. */
export async function payersOf({ budgets, log, session, journal }: Drive): Promise<readonly Account[]> {
  if (budgets === undefined) return [];
  const stream = await log.stream(session);
  if (stream === undefined) return [];
  const made = budgets.tokens === undefined ? null : journal.state.settings?.created_with;
  return accountsOf(budgets, { ...stream, tokens: await tokensOf(log, made ?? null) });
}

/** A token, and those it was made with: who signs in with one uses another in the browser. */
async function tokensOf(log: Pick<EventLog, "row">, first: string | null): Promise<readonly string[]> {
  const found: string[] = [];
  for (let id = first; id !== null && !found.includes(id);) {
    found.push(id);
    id = (await log.row<StoredToken>("token", id))?.parent ?? null;
  }
  return found;
}

/**
 * Puts aside from every account at once, under a guard on each: calls of other sessions and processes cannot take the
 * same. Who comes too late looks again, with a pause that differs from call to call: that others are quicker never means
 * that nothing is left. `make`: what to put aside of what is left.
 */
export async function holdFrom(
  drive: Drive,
  payers: readonly Account[],
  make: (left: Left) => Reserve | undefined,
): Promise<Held | NotHeld> {
  const { log, clock, timers, signal } = drive;
  const until = clock.now() + LINE_MS;
  for (let tries = 0; !signal.aborted && clock.now() <= until; tries++) {
    // Whoever began the turn hears of it before it stands in line.
    if (tries === AT_ONCE) await drive.journal.flush();
    if (tries >= AT_ONCE) await sleep(timers, pauseMs(drive.session, tries), signal);
    const held = await inLine(log, payers[0]?.stream ?? "", () => holdOnce(drive, payers, make));
    if (held !== "crowded") return held;
  }
  return "crowded";
}

async function holdOnce(
  drive: Drive,
  payers: readonly Account[],
  make: (left: Left) => Reserve | undefined,
): Promise<Held | NotHeld> {
  const { log, clock } = drive;
  const day = dayOf(clock.now());
  const heads = await Promise.all(payers.map(({ stream }) => log.stream(stream)));
  const rows = await Promise.all(
    payers.map(({ stream }) => log.row<DayRow>("budget-day", dayKey(stream, day))),
  );
  const left = leastLeft(...payers.map(({ limit }, i) => leftOfDay(limit, rows[i])));
  const reserve = make(left);
  if (reserve === undefined) return "used";
  const writes = payers.map(({ stream, name }, i): StreamWrite => {
    const events = [heldEvent(drive, name, day, reserve)];
    const head = heads[i];
    return head === undefined
      ? { stream, events, create: SPEC }
      : { stream, events, guard: { expectedSeq: head.head_seq } };
  });
  const appended = await log.append({ writes });
  if (appended.ok) return { reserve, day, accounts: payers.map(({ stream }) => stream) };
  const { code } = appended.refusal;
  if (code !== "seq_conflict" && code !== "stream_exists") throw refused(appended.refusal);
  return "crowded";
}

const LONGEST_PAUSE_MS = 500;

/** Twice as long each time, and spread by who waits: those who came at once do not come back at once. */
function pauseMs(session: string, tries: number): number {
  const most = Math.min(LONGEST_PAUSE_MS, 2 ** Math.min(16, tries));
  return Math.ceil(most * (0.5 + spread(`${session}/${tries}`) / 2));
}

/** From 0 to 1: the same for the same name, and another for others. */
export function spread(name: string): number {
  return createHash("sha256").update(name).digest().readUInt32BE(0) / 2 ** 32;
}

/** What a call used, in the place of what was put aside for it: in the commit that carries its `usage`. */
export function settleDays(
  { journal, session }: Pick<Drive, "journal" | "session">,
  reserved: Reserved | null,
  used: { readonly tokens: number; readonly cost_usd: number },
): void {
  const { accounts = [], day, step, attempt } = reserved ?? { step: 0, attempt: 0 };
  if (day === undefined) return;
  const hold_id = holdId(session, turnOf({ journal }).turn_id, step, attempt);
  for (const account of accounts)
    journal.beside({
      stream: account as StreamId,
      events: [{ type: "runtime.budget.spent", data: { account, day, hold_id, ...used } }],
    });
}

/** Nothing is left today. Background work waits for tomorrow; a person who waits for an answer is told at once. */
export async function outOfDay(drive: Drive, payers: readonly Account[]): Promise<void> {
  const now = drive.clock.now();
  const reason = `What ${payers.map(({ name }) => name).join(" and ")} may use today is used.`;
  const { settings } = drive.journal.state;
  if (isBackground(settings) || (await worksForBackground(drive)))
    return parkFor(drive, nextDay(now) - now, reason);
  emitTurn(drive, { kind: "fail", code: "budget", error: reason });
}

/** Whether a sub-agent's work is part of work that nobody sits beside. */
async function worksForBackground({ log, journal }: Drive): Promise<boolean> {
  const delegation = givenTo(journal.state);
  if (delegation === null) return false;
  return (await loadHealth(log, delegation.root_session_id as SessionId)).state.background;
}

/** So long a sub-agent waits that came too late to an account again and again. */
const CROWDED_MS = 5_000;

/** Money is left, and the way to it is not: this passes. Background work tries again by itself. */
export async function standsInLine(drive: Drive, payers: readonly Account[]): Promise<void> {
  if (drive.signal.aborted) return;
  const names = payers.map(({ name }) => name).join(" and ");
  const error = `Too many calls take from the budget of ${names} at this moment. Try again.`;
  if (await worksForBackground(drive)) return parkFor(drive, CROWDED_MS, error);
  emitTurn(drive, { kind: "fail", code: "model_limited", error });
}

function heldEvent(drive: Drive, account: string, day: string, { tokens, cost_usd }: Reserve): NewEvent {
  const { turn_id, step, tries } = turnOf(drive);
  return {
    type: "runtime.budget.held",
    data: {
      account,
      day,
      hold_id: holdId(drive.session, turn_id, step + 1, tries + 1),
      tokens,
      ...(cost_usd === undefined ? {} : { cost_usd }),
    },
  };
}

function holdId(session: string, turn_id: string, step: number, attempt: number): string {
  return `${session}/${turn_id}/${step}/${attempt}`;
}

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

/**
 * Why nothing was put aside: too little is left today; no day is enough for it; or others kept taking at the same moment,
 * or have put aside for calls under way what may be left after these.
 */
export type NotHeld = "used" | "too_small" | "crowded";

/** Who pays for a session by the day; nobody where nothing is configured. */
export async function payersOf({
  budgets,
  log,
  session,
  journal,
}: Pick<Drive, "budgets" | "log" | "session" | "journal">): Promise<readonly Account[]> {
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
  // What the session used is on record before it takes more: the account is read from there. A call that was lost, or broke
  // off, would otherwise be counted after this one was put aside, and in its place.
  await drive.journal.flush();
  for (let tries = 0; !signal.aborted && clock.now() <= until; tries++) {
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
  // What a process had put aside for this turn when it was lost is not in its own way.
  const ofOthers = (hold_id: string): boolean => !isOwn(drive, hold_id);
  const left = (counts: (hold_id: string) => boolean) =>
    leastLeft(...payers.map(({ limit }, i) => leftOfDay(limit, rows[i], counts)));
  const reserve = make(left(ofOthers));
  if (reserve === undefined) {
    if (make(left(() => false)) !== undefined) return "crowded";
    return make(leastLeft(...payers.map(({ limit }) => leftOfDay(limit, undefined)))) === undefined
      ? "too_small"
      : "used";
  }
  const writes = payers.map(({ stream, name }, i): StreamWrite => {
    const events = [...leftovers(drive, stream, rows[i]), heldEvent(drive, name, day, reserve)];
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

type Holder = Pick<Drive, "journal" | "session">;

/** A turn makes one call at a time, so that what is put aside for it is for that one. */
function isOwn({ journal, session }: Holder, hold_id: string): boolean {
  return hold_id.startsWith(`${session}/${turnOf({ journal }).turn_id}/`);
}

/** Gives back what was put aside for calls of this turn that were never made: their process was lost before. */
function leftovers(drive: Holder, account: string, row: DayRow | undefined): NewEvent[] {
  if (row === undefined) return [];
  return Object.keys(row.held)
    .filter((hold_id) => isOwn(drive, hold_id))
    .map((hold_id) => ({
      type: "runtime.budget.spent",
      data: { account, day: row.day, hold_id, tokens: 0, cost_usd: 0 },
    }));
}

/** With the end of a turn: nobody else would ever give back what only the account knows of. */
export async function releaseLeftovers(
  drive: Holder & Pick<Drive, "budgets" | "log" | "clock">,
): Promise<void> {
  const day = dayOf(drive.clock.now());
  for (const { stream } of await payersOf(drive)) {
    const row = await drive.log.row<DayRow>("budget-day", dayKey(stream, day));
    const events = leftovers(drive, stream, row);
    if (events.length > 0) drive.journal.beside({ stream, events });
  }
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
  const reason = `What ${namesOf(payers)} may use today is used.`;
  if (await isUnattended(drive)) return parkFor(drive, nextDay(now) - now, reason);
  emitTurn(drive, { kind: "fail", code: "budget", error: reason });
}

/** To wait for tomorrow would be to wait for ever. */
export function tooSmall(drive: Drive, payers: readonly Account[]): void {
  const error = `No day is enough: the call needs more than ${namesOf(payers)} may use in one. Raise that limit, or start anew with less to read.`;
  emitTurn(drive, { kind: "fail", code: "budget", error });
}

function namesOf(payers: readonly Account[]): string {
  return payers.map(({ name }) => name).join(" and ");
}

/** Whether it is work, or a part of work, that nobody sits beside. */
async function isUnattended({ log, journal }: Drive): Promise<boolean> {
  if (isBackground(journal.state.settings)) return true;
  const delegation = givenTo(journal.state);
  if (delegation === null) return false;
  return (await loadHealth(log, delegation.root_session_id as SessionId)).state.background;
}

/** So long it waits that came too late to an account again and again. */
const CROWDED_MS = 5_000;

/** Money is left, and the way to it is not: this passes. Background work tries again by itself. */
export async function standsInLine(drive: Drive, payers: readonly Account[]): Promise<void> {
  if (drive.signal.aborted) return;
  const error = `Too many calls take from the budget of ${namesOf(payers)} at this moment. Try again.`;
  if (await isUnattended(drive)) return parkFor(drive, CROWDED_MS, error);
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

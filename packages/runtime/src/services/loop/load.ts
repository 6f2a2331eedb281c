import { type AnyEvent, FairleadError, type NewEvent, type SessionId } from "@fairlead/contract";
import { is } from "../../domain/event.ts";
import { absorbHealth, type CarriedHealth, newCarriedHealth, SNAPSHOT } from "../../domain/health/row.ts";
import { HEALTH_TYPES } from "../../domain/health/fold.ts";
import { EARLIER_FOLDS, FOLD_VERSION, LOOP_TYPES, fold } from "../../domain/loop/fold.ts";
import { type LoopState, newLoopState } from "../../domain/loop/state.ts";
import { TALLIED, type Tally, count, newTally, restoredTally } from "../../domain/supervision/tally.ts";
import type { EventLog } from "../../ports/event-log.ts";
import type { StoredSession } from "../../domain/session.ts";
import { loadHealth } from "../health/load.ts";
import { wholeEvent } from "../whole.ts";

const PAGE = 1_000;
/** A session of so few events is read whole: that is sooner done than looking for a snapshot. */
const SHORT = 50;
const REDACTED = "[redacted:";
const LAST = Number.MAX_SAFE_INTEGER - 1;

/** Where one of these is, what came before it may not be there to read. */
const GAP = "runtime.log.gap";
const STANDS_FOR_MORE: ReadonlySet<string> = new Set(["runtime.session.snapshot", GAP]);

/** The events that must be read to know what the loop carries. */
const CARRIED: ReadonlySet<string> = new Set([...LOOP_TYPES, ...TALLIED]);
const CARRIED_TYPES: readonly string[] = [...CARRIED];
/** Those that others may write while a session is driven, and that somebody here must know. */
export const BETWEEN_TYPES: readonly string[] = [...new Set([...CARRIED, ...HEALTH_TYPES, SNAPSHOT])];

/** What the loop carries along of a session. */
export interface Carried {
  readonly state: LoopState;
  readonly tally: Tally;
  /** Of the session itself: what a branch inherits is not its own. */
  readonly health: CarriedHealth;
  /** The events folded since the last snapshot. */
  since: number;
}

/** The event with its large parts, and as it was before redaction where that was kept: what execution goes on with. */
export async function readWhole(log: EventLog, session: SessionId, event: AnyEvent): Promise<AnyEvent> {
  if (!saysAll(event)) {
    const sealed = await log.unseal(event.stream, event.seq);
    if (sealed !== undefined) return { ...event, data: sealed } as AnyEvent;
  }
  return wholeEvent(log, session, event);
}

/** Of large data only the beginning is here: what was taken out may be further on. */
function saysAll({ blobs, data }: AnyEvent): boolean {
  return blobs === undefined && !JSON.stringify(data).includes(REDACTED);
}

/** Of a session that has just been made, and has no events but these; undefined where more must be read to know it. */
export function madeCarried(events: readonly AnyEvent[]): Carried | undefined {
  const carried: Carried = { ...nothingYet(), health: newCarriedHealth() };
  for (const event of events) {
    if (STANDS_FOR_MORE.has(event.type) || !saysAll(event)) return undefined;
    if (CARRIED.has(event.type)) foldOne(carried, event);
    absorbHealth(carried.health, event, Date.parse(event.at));
  }
  carried.state.seq = events.at(-1)?.seq ?? 0;
  return carried.state.settings === null ? undefined : carried;
}

/**
 * Folds the session from its last snapshot on; with `upTo`, as it stood when that was its last event. Throws
 * history_trimmed where that is not known any more.
 */
export async function loadCarried(log: EventLog, session: SessionId, upTo?: number): Promise<Carried> {
  const folded = await foldCarried(log, session, upTo);
  // Trimmed without a snapshot that counts: what it may do is as the row says, not as where nobody chose.
  if (folded.state.settings === null && upTo === undefined)
    folded.state.settings = (await log.row<StoredSession>("session", session))?.state ?? null;
  // After the events: what the row has more of is told by its seq.
  return { ...folded, health: await loadHealth(log, session) };
}

type Folded = Omit<Carried, "health">;

async function foldCarried(log: EventLog, session: SessionId, upTo: number | undefined): Promise<Folded> {
  const last = upTo ?? LAST;
  const all = await log.read(session, { limit: SHORT, history: "full" });
  if (all.next === null && !all.events.some(({ type }) => STANDS_FOR_MORE.has(type))) {
    const carried = nothingYet();
    const some = all.events.filter(({ type, seq }) => CARRIED.has(type) && seq <= last);
    await foldPage(log, session, carried, some);
    carried.state.seq = Math.max(carried.state.seq, Math.min(all.head_seq, last));
    return carried;
  }
  const trimmed = all.events.some(({ type }) => type === GAP);
  const snapshot = await lastSnapshot(log, session, last, trimmed);
  if (trimmed && snapshot === undefined && upTo !== undefined) throw unknownThere(session);
  const carried = snapshot ?? nothingYet();
  for (let after: number | null = carried.state.seq; after !== null;) {
    const page = await log.read(session, { after, types: CARRIED_TYPES, limit: PAGE, history: "full" });
    const some = page.events.filter(({ seq }) => seq <= last);
    await foldPage(log, session, carried, some);
    if (some.length < page.events.length) return carried;
    carried.state.seq = Math.max(carried.state.seq, page.next ?? page.head_seq);
    after = page.next;
  }
  return carried;
}

/** Its modes and what was said may have been dropped, and what was kept of them came later. */
function unknownThere(session_id: SessionId): FairleadError {
  return new FairleadError("history_trimmed", {
    message: "What came before that place was trimmed, and how the session stood there is not known.",
    details: { session_id },
  });
}

function nothingYet(): Folded {
  return { state: newLoopState(), tally: newTally(), since: 0 };
}

async function foldPage(
  log: EventLog,
  session: SessionId,
  carried: Folded,
  events: readonly AnyEvent[],
): Promise<void> {
  for (const event of events) foldOne(carried, await readWhole(log, session, event));
}

function foldOne(carried: Folded, event: AnyEvent): void {
  fold(carried.state, event);
  count(carried.tally, event, Date.parse(event.at));
  carried.since += 1;
}

/**
 * The newest that is not after `upTo`; undefined also where it was folded by other rules. `trimmed`: what it was folded
 * from may be gone, so that one by earlier rules is better than none.
 */
export async function lastSnapshot(
  log: EventLog,
  session: SessionId,
  upTo: number,
  trimmed = false,
): Promise<Folded | undefined> {
  const page = await log.read(session, {
    before: upTo + 1,
    types: ["runtime.session.snapshot"],
    limit: 1,
    history: "full",
  });
  const [found] = page.events;
  if (found === undefined || !is(found, "runtime.session.snapshot")) return undefined;
  const { fold: rules } = found.data;
  if (rules !== FOLD_VERSION && !(trimmed && EARLIER_FOLDS.has(rules))) return undefined;
  const whole = await readWhole(log, session, found);
  if (!is(whole, "runtime.session.snapshot")) return undefined;
  const { state, tally } = whole.data.state as { state: LoopState; tally: Tally };
  return {
    state: structuredClone(state),
    tally: restoredTally(tally),
    since: 0,
  };
}

export function snapshotEvent({ state, tally }: Folded): NewEvent {
  return {
    type: "runtime.session.snapshot",
    seal: true,
    data: { fold: FOLD_VERSION, upto: state.seq, state: { state, tally: { ...tally, claimed: 0 } } },
  };
}

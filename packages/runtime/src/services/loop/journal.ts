import type { AnyEvent, NewEvent, SessionId, StreamId } from "@fairlead/contract";
import { delegationOf, marked, surfaced } from "../../domain/delegation/surface.ts";
import { absorbHealth, type CarriedHealth, freshSnapshot, SNAPSHOT } from "../../domain/health/row.ts";
import { fold } from "../../domain/loop/fold.ts";
import type { LoopState } from "../../domain/loop/state.ts";
import { type Tally, count } from "../../domain/supervision/tally.ts";
import type { Clock } from "../../ports/clock.ts";
import type { EventLog, Lease, StreamWrite } from "../../ports/event-log.ts";
import { refused } from "../refusal.ts";
import { BETWEEN_TYPES, type Carried, loadCarried, readWhole } from "./load.ts";
import { appendOffered, type Offer } from "./offer.ts";

/** What a session says of itself follows from these. */
const SAID: ReadonlySet<string> = new Set(["runtime.session.state", "runtime.question.decided"]);

/** The lease is gone, or the session: whoever holds it now goes on, and this process writes nothing more. */
export class Lost extends Error {
  override readonly name = "Lost";
}

/** Where the driver writes. */
export interface Journal {
  readonly state: LoopState;
  readonly tally: Tally;
  readonly health: CarriedHealth;
  /** Takes effect on the state at once, and is written with the next flush. */
  emit(events: readonly NewEvent[]): void;
  /** Everything emitted is durable when this resolves. Throws Lost. */
  flush(): Promise<readonly AnyEvent[]>;
  /** Written to another stream in the same commit as what is emitted: a new session, word for the one above. */
  beside(write: StreamWrite): void;
  /** In the next flush, where nobody was first. Takes effect on the state only when it is written. */
  offer(offers: readonly Offer[]): void;
  now(): number;
  /** Grows with every event that is folded: where it stands still, nothing has happened. */
  moves(): number;
  /** Names that the next flush claims. */
  claim(keys: readonly string[]): void;
  /** What others wrote meanwhile: inputs, decisions, a wish to stop. */
  catchUp(): Promise<void>;
}

export interface JournalDeps {
  readonly log: EventLog;
  readonly clock: Clock;
  /** Called with every other session that was written to, once that is durable. Must not throw. */
  readonly told?: (session: StreamId) => void;
}

/**
 * The state of one session, and what is about to be written of it.
 * Invariants:
 * 1. The state is the fold of the log up to `state.seq` and of what waits to be written.
 * 2. Flush before anything happens outside: a model is asked, a tool runs, somebody is answered.
 * 3. Every append is guarded by the lease's epoch.
 * 4. After a write that failed nothing more is written: the state says what the log does not.
 */
export function createJournal(
  { log, clock, told = () => {} }: JournalDeps,
  lease: Lease,
  { state, tally, health }: Pick<Carried, "state" | "tally" | "health">,
): Journal {
  const session = lease.stream as SessionId;
  let waiting: NewEvent[] = [];
  /** How many of our own of these are emitted, and not yet known to be written. */
  let saying = 0;
  let others: StreamWrite[] = [];
  let keys: readonly string[] = [];
  let offers: readonly Offer[] = [];
  let writing: Promise<unknown> = Promise.resolve();
  /** Something was folded since somebody looked whether the session fares otherwise. */
  let stirred = true;
  let moves = 0;
  let broken: { readonly error: unknown } | undefined;

  function absorb(event: AnyEvent): void {
    const now = clock.now();
    moves += 1;
    fold(state, event);
    count(tally, event, now);
    // What others wrote happened when they wrote it, however late it is heard of here.
    if (absorbHealth(health, event, event.at === "" ? now : Date.parse(event.at))) stirred = true;
  }

  /** How the session fares is said with what is written anyway, and only when it is news. */
  function sayHealth(): void {
    if (!stirred || waiting.length === 0) return;
    stirred = false;
    const data = freshSnapshot(session, health, clock.now());
    if (data !== undefined) take({ type: SNAPSHOT, data });
  }

  function take(event: NewEvent): void {
    waiting.push(event);
    if (SAID.has(event.type)) saying += 1;
    absorb(unwritten(event));
  }

  /** Its place and time are not known yet, and the fold does not look at them. One shape for all: every fold reads it. */
  function unwritten({ type, data, id, turn_id, agent_id, cause }: NewEvent): AnyEvent {
    return {
      seq: 0,
      at: "",
      stream: session,
      id: id ?? null,
      type,
      turn_id: turn_id ?? null,
      agent_id: agent_id ?? null,
      cause: cause ?? null,
      data,
    } as unknown as AnyEvent;
  }

  /** One after another: each looks at what came between itself and the one before. Upholds 4. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = after(writing, work);
    writing = done.catch(() => {});
    return done;
  }

  async function after<T>(before: Promise<unknown>, work: () => Promise<T>): Promise<T> {
    await before;
    if (broken !== undefined) throw broken.error;
    try {
      return await work();
    } catch (error) {
      broken = { error };
      throw error;
    }
  }

  /**
   * Folds what others wrote between our own. What they may write changes nothing that ours do, but for a state that who
   * configures a session repeats: where ours is on its way it comes later in the log, and theirs is over. Upholds 1.
   */
  async function absorbBetween(upTo: number): Promise<void> {
    for (let after = state.seq; after < upTo;) {
      const page = await log.read(session, { after, types: BETWEEN_TYPES, limit: upTo - after });
      for (const event of page.events)
        if (event.seq > after && event.seq <= upTo && !(saying > 0 && event.type === "runtime.session.state"))
          absorb(await readWhole(log, session, event));
      if (page.next === null) break;
      after = page.next;
    }
    state.seq = Math.max(state.seq, upTo);
  }

  /**
   * What others wrote since was dropped before it was heard of here: what stands for it is in a snapshot. Only of a session
   * that was kept in memory while nobody drove it; one that is driven is not trimmed so far.
   */
  async function foldAnew(): Promise<void> {
    if (waiting.length > 0) throw new Error(`The history of ${session} was dropped while it was driven.`);
    const fresh = await loadCarried(log, session);
    Object.assign(state, fresh.state);
    Object.assign(tally, fresh.tally);
    Object.assign(health, fresh.health);
    stirred = true;
  }

  async function write(
    events: readonly NewEvent[],
    keys: readonly string[],
    besides: readonly StreamWrite[],
    offered: readonly Offer[],
  ): Promise<readonly AnyEvent[]> {
    const own = { stream: session, events, guard: { epoch: lease.epoch } };
    const { appended, said } = await appendOffered(log, own, besides, keys, offered);
    if (!appended.ok) {
      const { code } = appended.refusal;
      throw code === "lease_lost" || code === "session_purged"
        ? new Lost(appended.refusal.message)
        : refused(appended.refusal);
    }
    const written = appended.events.filter(({ stream }) => stream === session);
    const first = written[0]?.seq ?? 0;
    if (first > state.seq + 1) await absorbBetween(first - 1);
    for (const { event } of said) absorb(unwritten(event));
    for (const { type } of events) if (SAID.has(type)) saying -= 1;
    state.seq = written.at(-1)?.seq ?? state.seq;
    health.seq = Math.max(health.seq, state.seq);
    for (const { above } of said) for (const { stream } of above) told(stream);
    for (const { stream } of besides) told(stream);
    return written;
  }

  return {
    state,
    tally,
    health,
    emit(given) {
      // Only a sub-agent is heard of elsewhere.
      if (delegationOf(state) === null) return given.forEach(take);
      const events = given.map((event) => marked(state, event));
      // Before the fold: the end of a turn tells what the turn was.
      others.push(...surfaced(state, session, events, clock.now(), health.state));
      events.forEach(take);
    },
    now: () => clock.now(),
    moves: () => moves,
    beside: (write) => void others.push(write),
    offer: (more) => void (offers = [...offers, ...more]),
    claim: (names) => void (keys = [...keys, ...names]),
    flush() {
      sayHealth();
      // What is to be written beside waits for something to be beside.
      if (waiting.length === 0) return inTurn(async () => []);
      const events = waiting;
      const names = keys;
      const besides = others;
      const offered = offers;
      waiting = [];
      keys = [];
      others = [];
      offers = [];
      return inTurn(() => write(events, names, besides, offered));
    },
    catchUp: () =>
      inTurn(async () => {
        const info = await log.stream(session);
        if (info === undefined || info.state === "purged") throw new Lost("The session was purged.");
        if (info.floor_seq > state.seq) await foldAnew();
        if (info.head_seq > state.seq) await absorbBetween(info.head_seq);
      }),
  };
}

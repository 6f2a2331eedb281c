import type { SessionId } from "@fairlead/contract";
import { type Wake, type WakeState, dueAt, isBackgroundRow, wakeState } from "../../domain/wake.ts";
import type { Clock } from "../../ports/clock.ts";
import type { EventLog } from "../../ports/event-log.ts";
import type { Carried } from "../loop/load.ts";
import { everyRow } from "../rows.ts";

/** Chats that are taken up at once; the rest follow as these are done. Background work has a room of its own. */
const TAKEN_UP = 64;
/** Of those that are due so many are remembered, the oldest; the rest are looked for again when these are taken up. */
const REMEMBERED = 1_000;
const SIDE_BY_SIDE = 8;

export interface Recovery {
  /** Takes up what nobody drives and can be gone on with. Returns how many. */
  recover(): Promise<number>;
  /** When the next parked turn's time is over, in milliseconds; null when none waits for a time. */
  nextDue(): Promise<number | null>;
  /** Calls back with the time until which a turn was parked in this process. Returns how to call it off. */
  onTimer(listener: (due: number) => void): () => void;
  /** To be told of every session that this process lets go of. */
  left(session: SessionId, carried: Carried | undefined): void;
  /** To be told when something that is due had to be left for later. */
  crowded(): void;
}

export interface RecoveryDeps {
  readonly log: EventLog;
  readonly clock: Clock;
  /** By what drives it: our own loop where no engine is named. */
  readonly wake: (session: SessionId, engine: string | undefined) => Promise<boolean>;
  /** Whether more background work may be taken up here. */
  readonly hasRoom: () => boolean;
  /** Whether it must be left to processes on another machine. */
  readonly isElsewhere: (row: Wake) => boolean;
  /** Must not throw. */
  readonly report: (error: unknown) => void;
}

interface Due {
  readonly session_id: SessionId;
  readonly background: boolean;
  readonly engine: string | undefined;
  readonly at: number;
}

export function createRecovery({ log, clock, wake, hasRoom, isElsewhere, report }: RecoveryDeps): Recovery {
  const listeners = new Set<(due: number) => void>();
  const taken = new Set<SessionId>();
  let due: Due[] = [];
  let more = false;

  /** Up to the first that is not wanted. By the clocks of those who wrote them: those may be ahead of ours. */
  async function oldest(state: readonly WakeState[], wanted: (row: Wake) => boolean): Promise<Due[]> {
    const found: Due[] = [];
    for await (const row of everyRow<Wake>(log, "wake", { state, oldest: true, unheld: true })) {
      if (!wanted(row)) break;
      if (isElsewhere(row)) continue;
      if (found.length === REMEMBERED) {
        more = true;
        break;
      }
      const { session_id, at, engine } = row;
      found.push({ session_id, at, engine, background: isBackgroundRow(row) });
    }
    return found;
  }

  async function recover(): Promise<number> {
    more = false;
    const now = clock.now();
    // Who has waited longest is first, and who is held by somebody is left to them.
    const timers = await oldest(["timer"], ({ at }) => at <= now);
    const others = await oldest(["running", "ready", "held"], () => true);
    due = [...timers, ...others].toSorted((a, b) => a.at - b.at);
    return takeUp();
  }

  /** The next one that there is room for. */
  function nextOne(): Due | undefined {
    const fits = ({ background }: Due) => (background ? hasRoom() : taken.size < TAKEN_UP);
    const place = due.findIndex(fits);
    return place === -1 ? undefined : due.splice(place, 1)[0];
  }

  /** Several side by side: each waits for the store more than it works. */
  async function takeUp(): Promise<number> {
    const found = await Promise.all(Array.from({ length: SIDE_BY_SIDE }, takeUpInTurn));
    return found.reduce((sum, count) => sum + count, 0);
  }

  async function takeUpInTurn(): Promise<number> {
    let found = 0;
    for (let next = nextOne(); next !== undefined; next = nextOne()) {
      const { session_id, background, engine } = next;
      // Before it is known: it may be let go of before we hear that it was taken up.
      if (!background) taken.add(session_id);
      try {
        if (await wake(session_id, engine)) found += 1;
        else taken.delete(session_id);
      } catch (error) {
        // One that cannot be gone on with must not keep the others waiting.
        taken.delete(session_id);
        report(error);
      }
    }
    return found;
  }

  function goOn(): void {
    if (due.length > 0) return void takeUp().catch(report);
    if (more) void recover().catch(report);
  }

  return {
    recover,
    async nextDue() {
      const query = { state: ["timer"], oldest: true, scope: { owner: "any" }, limit: 1 } as const;
      return (await log.rows<Wake>("wake", query)).rows[0]?.at ?? null;
    },
    onTimer(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    left(session, carried) {
      const due = dueAt({ waits: carried?.state.turn?.waits ?? [] });
      if (due > 0) for (const listener of listeners) listener(due);
      taken.delete(session);
      goOn();
    },
    crowded: () => void (more = true),
  };
}

/** Whether there is something to do about it now. */
export function isDue(row: Wake, now: number): boolean {
  const state = wakeState(row);
  if (state === "timer") return row.at <= now;
  return state === "ready" || state === "held" || state === "running";
}

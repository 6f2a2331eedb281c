import type { SessionId } from "@fairlead/contract";
import { type Wake, dueAt, isBackgroundRow, wakeState } from "../../domain/wake.ts";
import type { Clock } from "../../ports/clock.ts";
import type { EventLog } from "../../ports/event-log.ts";
import type { Carried } from "../loop/load.ts";
import { everyRow } from "../rows.ts";

/** Sessions that are taken up at once; the rest follow as these are done. */
const TAKEN_UP = 64;
/** Of those that are due so many are remembered, the oldest; the rest are looked for again when these are taken up. */
const REMEMBERED = 1_000;

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
  readonly wake: (session: SessionId) => Promise<boolean>;
  /** Whether more background work may be taken up here. */
  readonly hasRoom: () => boolean;
  /** Must not throw. */
  readonly report: (error: unknown) => void;
}

interface Due {
  readonly session_id: SessionId;
  readonly background: boolean;
  readonly at: number;
}

export function createRecovery({ log, clock, wake, hasRoom, report }: RecoveryDeps): Recovery {
  const listeners = new Set<(due: number) => void>();
  const taken = new Set<SessionId>();
  let due: Due[] = [];
  let more = false;

  async function recover(): Promise<number> {
    const found: Due[] = [];
    more = false;
    for await (const row of everyRow<Wake>(log, "wake", { state: ["running", "ready", "held", "timer"] })) {
      const { session_id, at } = row;
      if (isDue(row, clock.now())) found.push({ session_id, at, background: isBackgroundRow(row) });
    }
    // Who has waited longest is first.
    found.sort((a, b) => a.at - b.at);
    more ||= found.length > REMEMBERED;
    due = found.slice(0, REMEMBERED);
    return takeUp();
  }

  /** The next one that there is room for. */
  function nextOne(): SessionId | undefined {
    if (taken.size >= TAKEN_UP) return undefined;
    const place = hasRoom() ? 0 : due.findIndex(({ background }) => !background);
    return place === -1 ? undefined : due.splice(place, 1)[0]?.session_id;
  }

  async function takeUp(): Promise<number> {
    let found = 0;
    for (let session = nextOne(); session !== undefined; session = nextOne()) {
      // Before it is known: it may be let go of before we hear that it was taken up.
      taken.add(session);
      try {
        if (await wake(session)) found += 1;
        else taken.delete(session);
      } catch (error) {
        // One that cannot be gone on with must not keep the others waiting.
        taken.delete(session);
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
      let next: number | null = null;
      for await (const { at } of everyRow<Wake>(log, "wake", { state: ["timer"] }))
        next = Math.min(next ?? at, at);
      return next;
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

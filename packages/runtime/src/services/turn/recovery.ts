import type { SessionId } from "@fairlead/contract";
import { type Wake, dueAt, wakeState } from "../../domain/wake.ts";
import type { Clock } from "../../ports/clock.ts";
import type { EventLog } from "../../ports/event-log.ts";
import type { Carried } from "../loop/load.ts";
import { everyRow } from "../rows.ts";

/** Sessions that are taken up at once; the rest follow as these are done. */
const TAKEN_UP = 64;

export interface Recovery {
  /** Takes up what nobody drives and can be gone on with. Returns how many. */
  recover(): Promise<number>;
  /** When the next parked turn's time is over, in milliseconds; null when none waits for a time. */
  nextDue(): Promise<number | null>;
  /** Calls back with the time until which a turn was parked in this process. Returns how to call it off. */
  onTimer(listener: (due: number) => void): () => void;
  /** To be told of every session that this process lets go of. */
  left(session: SessionId, carried: Carried | undefined): void;
}

export interface RecoveryDeps {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly wake: (session: SessionId) => Promise<boolean>;
  /** Must not throw. */
  readonly report: (error: unknown) => void;
}

export function createRecovery({ log, clock, wake, report }: RecoveryDeps): Recovery {
  const listeners = new Set<(due: number) => void>();
  const taken = new Set<SessionId>();
  let more = false;

  async function recover(): Promise<number> {
    let found = 0;
    more = false;
    for await (const row of everyRow<Wake>(log, "wake", { state: ["running", "ready", "held", "timer"] })) {
      if (!isDue(row, clock.now())) continue;
      if (taken.size >= TAKEN_UP) {
        more = true;
        break;
      }
      const { session_id } = row;
      // Before it is known: it may be let go of before we hear that it was taken up.
      taken.add(session_id);
      try {
        if (await wake(session_id)) found += 1;
        else taken.delete(session_id);
      } catch (error) {
        // One that cannot be gone on with must not keep the others waiting.
        taken.delete(session_id);
        report(error);
      }
    }
    return found;
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
      if (!taken.delete(session) || !more || taken.size > TAKEN_UP / 2) return;
      more = false;
      void recover().catch(report);
    },
  };
}

/** Whether there is something to do about it now. */
export function isDue(row: Wake, now: number): boolean {
  const state = wakeState(row);
  if (state === "timer") return row.at <= now;
  return state === "ready" || state === "held" || state === "running";
}

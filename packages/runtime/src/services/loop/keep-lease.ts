import type { EventLog, Lease } from "../../ports/event-log.ts";
import type { Timers } from "../../ports/timers.ts";

export interface KeepLeaseDeps {
  readonly log: Pick<EventLog, "shared" | "renewLease">;
  readonly timers: Timers;
  readonly leaseMs: number;
  /** Called once, when the lease is gone, or when nobody can say any more that it is not. */
  readonly lost: () => void;
}

/** Renews a lease, freshly taken, until it is called off or lost. */
export function keepLease({ log, timers, leaseMs, lost }: KeepLeaseDeps, lease: Lease): () => void {
  let over = false;
  let callOffRenewal = () => {};
  let callOffEnd = runsOut();

  /** While the store is away others may take what has run out; where there are no others, nobody does. */
  function runsOut(): () => void {
    return log.shared ? timers.after(leaseMs, lose) : () => {};
  }

  function callOff(): void {
    over = true;
    callOffRenewal();
    callOffEnd();
  }

  function lose(): void {
    if (over) return;
    callOff();
    lost();
  }

  function renewLater(): void {
    if (!over) callOffRenewal = timers.after(leaseMs / 3, () => void renew());
  }

  async function renew(): Promise<void> {
    // Counted from before it is asked for: the answer may take long.
    const callOffNext = runsOut();
    try {
      if (!(await log.renewLease(lease, leaseMs))) return lose();
      callOffEnd();
      callOffEnd = callOffNext;
      if (over) callOffNext();
    } catch {
      callOffNext();
    }
    renewLater();
  }

  renewLater();
  return callOff;
}

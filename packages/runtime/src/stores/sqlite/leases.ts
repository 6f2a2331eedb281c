import { FairleadError, type StreamId } from "@fairlead/contract";
import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../ports/clock.ts";
import type { LogStore } from "../../ports/log-store.ts";
import type { Transaction } from "./transaction.ts";

interface Held {
  readonly holder: string;
  readonly epoch: number;
  readonly until: number;
}

/**
 * One process owns the directory, so its clock is the database's, and a lease of a process that died
 * is nobody's: who holds one is kept in memory. Epochs are stored, so that they never repeat. That is done with the next
 * commit, whatever it carries: the first append that an epoch guards is in it, or comes later. A process that dies before
 * that loses an epoch which nothing was written under, and which nobody holds any more.
 */
export interface Leases extends Pick<LogStore, "acquireLease" | "renewLease" | "releaseLease" | "leases"> {
  held(): readonly StreamId[];
  /** The epoch of a stream, where it is not stored yet. */
  raised(id: StreamId): number | undefined;
  /** The same, with epochs stored first in each transaction that is kept. */
  storing(transaction: Transaction): Transaction;
  /** Stores what no commit came for, in such a transaction, where the store still takes it. */
  stop(storing: Transaction): void;
}

export function createLeases(db: DatabaseSync, clock: Clock): Leases {
  const storedEpoch = db.prepare("SELECT epoch FROM streams WHERE id = ?");
  const storeEpoch = db.prepare("UPDATE streams SET epoch = ? WHERE id = ?");
  const leases = new Map<StreamId, Held>();
  const raised = new Map<StreamId, number>();

  function raiseEpoch(id: StreamId): number | undefined {
    const last = raised.get(id) ?? (storedEpoch.get(id)?.["epoch"] as number | undefined);
    if (last === undefined) return undefined;
    raised.set(id, last + 1);
    return last + 1;
  }

  return {
    raised: (id) => raised.get(id),
    storing:
      (transaction) =>
      (work, keep = () => true) => {
        let kept = false;
        const result = transaction(
          () => {
            for (const [id, epoch] of raised) storeEpoch.run(epoch, id);
            return work();
          },
          (made) => (kept = keep(made)),
        );
        if (kept) raised.clear();
        return result;
      },
    stop(storing) {
      try {
        if (raised.size > 0) storing(() => {});
      } catch {
        // Nothing was written under these.
      }
    },
    held() {
      const now = clock.now();
      return [...leases].filter(([, { until }]) => until > now).map(([id]) => id);
    },
    async acquireLease(id, holder, ttlMs) {
      const held = leases.get(id);
      const now = clock.now();
      if (held !== undefined && held.until > now && held.holder !== holder) return undefined;
      const epoch = raiseEpoch(id);
      if (epoch === undefined) throw new FairleadError("session_not_found", { details: { stream: id } });
      leases.set(id, { holder, epoch, until: now + ttlMs });
      return epoch;
    },
    async renewLease(id, epoch, ttlMs) {
      const held = leases.get(id);
      if (held?.epoch !== epoch) return false;
      leases.set(id, { ...held, until: clock.now() + ttlMs });
      return true;
    },
    async releaseLease(id, epoch) {
      if (leases.get(id)?.epoch === epoch) leases.delete(id);
    },
    async leases(ids) {
      const held = (id: StreamId) => leases.get(id)?.until;
      return new Map(ids.flatMap((id) => (held(id) === undefined ? [] : [[id, held(id) as number]])));
    },
  };
}

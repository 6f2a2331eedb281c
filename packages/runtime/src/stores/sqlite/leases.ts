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
 * is nobody's: who holds one is kept in memory. Epochs are stored, so that they never repeat. They are not flushed by
 * themselves: the first append that an epoch guards comes later in the same write-ahead log, and flushes both. A power
 * cut before that loses an epoch which nothing was written under.
 */
export function createLeases(
  db: DatabaseSync,
  unflushed: Transaction,
  clock: Clock,
): Pick<LogStore, "acquireLease" | "renewLease" | "releaseLease" | "leases"> & {
  held(): readonly StreamId[];
} {
  const nextEpoch = db.prepare("UPDATE streams SET epoch = epoch + 1 WHERE id = ? RETURNING epoch");
  const leases = new Map<StreamId, Held>();

  function raiseEpoch(id: StreamId): number | undefined {
    return unflushed(() => nextEpoch.get(id))?.["epoch"] as number | undefined;
  }

  return {
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

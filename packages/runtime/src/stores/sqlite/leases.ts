import { FairleadError } from "@fairlead/contract";
import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../ports/clock.ts";
import type { LogStore } from "../../ports/log-store.ts";

/** One process owns the file, so its clock is the database's. */
export function createLeases(db: DatabaseSync, clock: Clock): Pick<LogStore, "acquireLease" | "renewLease" | "releaseLease"> {
  const exists = db.prepare("SELECT 1 FROM streams WHERE id = ?");
  const acquire = db.prepare(
    `UPDATE streams SET epoch = epoch + 1, lease_holder = :holder, lease_until = :until
     WHERE id = :id AND (lease_until IS NULL OR lease_until <= :now OR lease_holder = :holder) RETURNING epoch`,
  );
  const renew = db.prepare("UPDATE streams SET lease_until = ? WHERE id = ? AND epoch = ? AND lease_holder IS NOT NULL");
  const release = db.prepare("UPDATE streams SET lease_holder = NULL, lease_until = NULL WHERE id = ? AND epoch = ?");
  return {
    async acquireLease(id, holder, ttlMs) {
      if (exists.get(id) === undefined) throw new FairleadError("session_not_found", { details: { stream: id } });
      const now = clock.now();
      return acquire.get({ id, holder, now, until: now + ttlMs })?.["epoch"] as number | undefined;
    },
    async renewLease(id, epoch, ttlMs) {
      return renew.run(clock.now() + ttlMs, id, epoch).changes === 1;
    },
    async releaseLease(id, epoch) {
      release.run(id, epoch);
    },
  };
}

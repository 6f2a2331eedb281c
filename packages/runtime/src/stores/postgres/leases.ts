import { FairleadError, type StreamId } from "@fairlead/contract";
import type { LogStore } from "../../ports/log-store.ts";
import type { Database } from "./database.ts";

/**
 * By the database's clock, the one that all processes share; read when the row is held, not when the statement began.
 * Each of these may be asked twice when an answer is lost: an acquisition then only burns an epoch.
 */
export function createLeases({
  ask,
  target: { schema },
}: Database): Pick<LogStore, "acquireLease" | "renewLease" | "releaseLease" | "leases"> {
  const until = (ttl: string) => `clock_timestamp() + ${ttl} * interval '1 millisecond'`;
  const acquire = {
    name: "lease_acquire",
    text: `update ${schema}.streams set epoch = epoch + 1, lease_holder = $2, lease_until = ${until("$3")}
      where id = $1 and (lease_until is null or lease_until <= clock_timestamp() or lease_holder = $2) returning epoch`,
  };
  const exists = { name: "lease_stream", text: `select 1 from ${schema}.streams where id = $1` };
  const renew = {
    name: "lease_renew",
    text: `update ${schema}.streams set lease_until = ${until("$3")} where id = $1 and epoch = $2 and lease_holder is not null returning epoch`,
  };
  const release = {
    name: "lease_release",
    text: `update ${schema}.streams set lease_holder = null, lease_until = null where id = $1 and epoch = $2`,
  };
  const readUntil = {
    name: "lease_until",
    text: `select id, (extract(epoch from lease_until) * 1000)::double precision as until from ${schema}.streams
      where id = any($1::text[]) and lease_until is not null`,
  };
  return {
    async acquireLease(stream, holder, ttlMs) {
      const [won] = await ask<{ epoch: number }>({ ...acquire, values: [stream, holder, ttlMs] });
      if (won !== undefined) return won.epoch;
      const there = await ask({ ...exists, values: [stream] });
      if (there.length === 0) throw new FairleadError("session_not_found", { details: { stream } });
      return undefined;
    },
    renewLease: async (stream, epoch, ttlMs) =>
      (await ask({ ...renew, values: [stream, epoch, ttlMs] })).length === 1,
    async releaseLease(stream, epoch) {
      await ask({ ...release, values: [stream, epoch] });
    },
    async leases(streams) {
      const held = await ask<{ id: StreamId; until: number }>({ ...readUntil, values: [streams] });
      return new Map(held.map(({ id, until }) => [id, Math.floor(until)]));
    },
  };
}

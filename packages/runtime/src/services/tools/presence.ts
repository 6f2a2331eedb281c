import { createHash } from "node:crypto";
import type { ProjectId, StreamId } from "@fairlead/contract";
import type { EventLog, Lease, StreamSpec } from "../../ports/event-log.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Timers } from "../../ports/timers.ts";
import { taken } from "../refusal.ts";

export interface PresenceDeps {
  readonly log: EventLog;
  readonly ids: Ids;
  readonly timers: Timers;
  /** Names this process to people. */
  readonly process: string;
  /** How long a session's lease lasts. */
  readonly leaseMs: number;
  /** Must not throw. */
  readonly report: (error: unknown) => void;
}

/** How other processes know that this one is there while it runs tools for people. */
export interface Presence {
  /** The work is given what others look at; undefined where there are none, or it cannot be held at this moment. */
  during<T>(work: (holder: StreamId | undefined) => Promise<T>): Promise<T>;
  /** Whether the process that held this is gone, by the clock of the store. */
  isGone(holder: StreamId): Promise<boolean>;
}

const SPEC: StreamSpec = {
  owner: "system",
  kind: "process",
  project: null,
  broadcast: false,
  created_by: null,
};

/** So many leases of a session: who is only busy for a while must not be taken for lost. */
const PATIENCE = 5;
const LOOK_MS = 1_000;

/** One lease for all calls of the process, on a stream of its own, held only while there are any. */
export function createPresence({ log, ids, timers, process, leaseMs, report }: PresenceDeps): Presence {
  const ttl = leaseMs * PATIENCE;
  let own: { readonly stream: StreamId; readonly name: string } | undefined;
  let lease: Promise<Lease | undefined> | undefined;
  let calls = 0;
  /** Which of the times that calls began renews it. */
  let round = 0;
  let stop = () => {};

  async function acquire(): Promise<Lease | undefined> {
    if (own === undefined) {
      const name = ids.next("attempt");
      const hash = createHash("sha256")
        .update(JSON.stringify(["process", name]))
        .digest("hex");
      const stream = `prj_${hash.slice(0, 40)}` as ProjectId;
      const events = [{ type: "runtime.tool.direct.holder" as const, data: { process } }];
      taken(await log.append({ writes: [{ stream, events, create: SPEC }] }));
      own = { stream, name };
    }
    return log.acquireLease(own.stream, own.name, ttl);
  }

  async function renew(): Promise<void> {
    const held = await lease;
    if (calls === 0 || (held !== undefined && (await log.renewLease(held, ttl)))) return;
    lease = acquire();
    await lease;
  }

  function renewLater(mine: number): void {
    stop = timers.after(leaseMs, () => {
      void renew()
        .catch(report)
        .then(() => (calls > 0 && mine === round ? renewLater(mine) : undefined));
    });
  }

  async function letGo(): Promise<void> {
    stop();
    const held = await lease?.catch(() => undefined);
    if (calls > 0 || held === undefined) return;
    lease = undefined;
    await log.releaseLease(held).catch(report);
  }

  return {
    async during(work) {
      if (!log.shared) return work(undefined);
      calls += 1;
      try {
        if (calls === 1) {
          lease = acquire();
          renewLater(++round);
        }
        const held = await lease;
        return await work(held === undefined ? undefined : own?.stream);
      } finally {
        calls -= 1;
        if (calls === 0) await letGo();
      }
    },
    async isGone(holder) {
      const looked = await log.acquireLease(holder, ids.next("attempt"), LOOK_MS);
      if (looked === undefined) return false;
      await log.releaseLease(looked);
      return true;
    },
  };
}

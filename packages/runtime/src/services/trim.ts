import { FairleadError, type SessionId } from "@fairlead/contract";
import { is } from "../domain/event.ts";
import { FOLD_VERSION } from "../domain/loop/fold.ts";
import type { StoredSession } from "../domain/session.ts";
import { isOpen } from "../domain/turn.ts";
import type { EventLog, Lease, StreamInfo } from "../ports/event-log.ts";
import type { Ids } from "../ports/ids.ts";
import type { Timers } from "../ports/timers.ts";
import { loadCarried, snapshotEvent } from "./loop/load.ts";
import { taken } from "./refusal.ts";

const LEASE_MS = 10_000;

/** Who has ended a turn lets go of the session in a moment. */
const AGAIN_MS = 20;
const TRIES = 50;

interface TrimDeps {
  readonly log: EventLog;
  readonly ids: Ids;
  readonly timers: Timers;
}

/**
 * Drops the oldest events. What is folded from them, the modes of the session among it, is kept in a snapshot first: who
 * goes on with it in another process knows what this one knew. Throws turn_active where an open turn needs them.
 */
export async function trimSession(
  deps: TrimDeps,
  { id, head_seq, floor_seq }: StreamInfo & { readonly id: SessionId },
  upTo: number,
): Promise<StreamInfo> {
  const drops = upTo > floor_seq && upTo <= head_seq;
  if (drops && !(await isKept(deps.log, id, upTo))) await keep(deps, id);
  return deps.log.trim(id, upTo);
}

/** Whether a snapshot stays that stands for all of them. */
async function isKept(log: EventLog, session: SessionId, upTo: number): Promise<boolean> {
  const { events } = await log.read(session, { after: upTo, types: ["runtime.session.snapshot"], limit: 1 });
  return events.some((event) => is(event, "runtime.session.snapshot") && event.data.fold === FOLD_VERSION);
}

async function leaseOf({ log, ids, timers }: TrimDeps, session: SessionId): Promise<Lease> {
  for (let tries = 0; tries < TRIES; tries++) {
    const lease = await log.acquireLease(session, ids.next("attempt"), LEASE_MS);
    if (lease !== undefined) return lease;
    const row = await log.row<StoredSession>("session", session);
    if (row !== undefined && isOpen(row.turn)) break;
    await new Promise<void>((resolve) => void timers.after(AGAIN_MS, resolve));
  }
  throw needed(session);
}

async function keep(deps: TrimDeps, session: SessionId): Promise<void> {
  const { log } = deps;
  // With the lease in hand nobody goes on with it meanwhile.
  const lease = await leaseOf(deps, session);
  try {
    const carried = await loadCarried(log, session);
    if (carried.state.turn !== null) throw needed(session);
    const write = { stream: session, events: [snapshotEvent(carried)], guard: { epoch: lease.epoch } };
    taken(await log.append({ writes: [write] }));
  } finally {
    await log.releaseLease(lease);
  }
}

function needed(session_id: SessionId): FairleadError {
  return new FairleadError("turn_active", {
    message: "An open turn needs these events to go on: nothing was dropped.",
    details: { session_id },
  });
}

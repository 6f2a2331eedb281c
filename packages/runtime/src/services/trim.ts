import { FairleadError, type SessionId } from "@fairlead/contract";
import { is } from "../domain/event.ts";
import { FOLD_VERSION } from "../domain/loop/fold.ts";
import type { EventLog, StreamInfo } from "../ports/event-log.ts";
import type { Ids } from "../ports/ids.ts";
import { loadCarried, snapshotEvent } from "./loop/load.ts";
import { taken } from "./refusal.ts";

const LEASE_MS = 10_000;

interface TrimDeps {
  readonly log: EventLog;
  readonly ids: Ids;
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

async function keep({ log, ids }: TrimDeps, session: SessionId): Promise<void> {
  // With the lease in hand nobody goes on with it meanwhile.
  const lease = await log.acquireLease(session, ids.next("attempt"), LEASE_MS);
  if (lease === undefined) throw needed(session);
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

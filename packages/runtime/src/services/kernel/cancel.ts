import { FairleadError, type NewEvent, type SessionId } from "@fairlead/contract";
import { movedEvents } from "../../domain/kernel/session-events.ts";
import { isOpen } from "../../domain/turn.ts";
import type { Wake } from "../../domain/wake.ts";
import { taken } from "../refusal.ts";
import { demandState, eventually, type KernelDeps, lastCheckpoint, load, whileUndriven } from "./context.ts";
import { engineNamed } from "./engines.ts";

export interface Cancelling {
  readonly session: SessionId;
  readonly actor: string;
  readonly reason: string;
}

/** Ended, and on record, when it resolves. */
export async function cancelSession(deps: KernelDeps, cancelling: Cancelling): Promise<void> {
  await eventually(deps, () => tryCancel(deps, cancelling));
}

/** Undefined when it was neither open nor at rest: it has just begun, or ended. */
async function tryCancel(deps: KernelDeps, cancelling: Cancelling): Promise<true | undefined> {
  const { session, actor, reason } = cancelling;
  const loaded = await load(deps, session);
  demandState(loaded, "cancel");
  if (loaded.row.status === "cancelled") return true;
  if (!isOpen(loaded.row.turn))
    return whileUndriven(deps, session, (lease) => end(deps, cancelling, lease.epoch));
  try {
    await engineNamed(deps.engines, loaded.state.engine ?? undefined).cancel(session, actor, reason);
    return true;
  } catch (error) {
    // It has ended in the meantime: how is found out anew.
    if (error instanceof FairleadError && error.code === "turn_not_found") return undefined;
    throw error;
  }
}

/** No turn is open: what waits to be begun is dropped. */
async function end(deps: KernelDeps, cancelling: Cancelling, epoch: number): Promise<true | undefined> {
  const { log, clock } = deps;
  const { session, actor, reason } = cancelling;
  const loaded = await load(deps, session);
  if (isOpen(loaded.row.turn)) return undefined;
  const to = demandState(loaded, "cancel");
  if (loaded.row.status === to) return true;
  const at = new Date(clock.now()).toISOString();
  const wake = await log.row<Wake>("wake", session);
  const dropped = (wake?.held ?? []).map((input_id): NewEvent => ({
    type: "runtime.input.taken",
    data: { input_id: input_id as never, dropped: "The session was cancelled." },
  }));
  const events = movedEvents({
    state: loaded.state,
    to,
    at,
    after: await lastCheckpoint(deps, session),
    type: "cancelled",
    summary: `Cancelled by ${actor}: ${reason}`,
    changes: { ended_at: at, process_id: null, resume_context: null },
  });
  taken(
    await log.append({ writes: [{ stream: session, events: [...dropped, ...events], guard: { epoch } }] }),
  );
  return true;
}

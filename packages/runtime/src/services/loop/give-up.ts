import { FairleadError, type SessionId, TURN_FAILURES } from "@fairlead/contract";
import { next } from "../../domain/loop/next.ts";
import type { Lease } from "../../ports/event-log.ts";
import { emitBegin } from "./begin.ts";
import type { LoopDeps } from "./context.ts";
import { endTurn } from "./end.ts";
import { Lost, createJournal } from "./journal.ts";
import { type Carried, loadCarried } from "./load.ts";
import { Stalled } from "./watch.ts";

/** Refusals of a first commit: nothing has happened, and whoever asked for it is told. */
const EXPECTED: readonly unknown[] = ["key_taken", "turn_active"];

/**
 * After an error that nobody expected: what was emitted and not written is forgotten, and the turn, as the log knows
 * it, ends as failed. Otherwise it would be taken up and fail again, for ever. One that was `takenUp` and broke before
 * it was on record begins only to fail, for the same reason. What only the store is to blame for is left to whoever
 * takes it up later. Gives the state where this process can go on with the session at once. Never rejects.
 */
export async function giveUp(
  deps: LoopDeps,
  lease: Lease,
  error: unknown,
  takenUp: boolean,
): Promise<Carried | undefined> {
  const { report } = deps;
  if (error instanceof Lost) return undefined;
  const refusal = error instanceof FairleadError ? error.code : undefined;
  if (EXPECTED.includes(refusal)) return undefined;
  report(error);
  if (refusal === "store_unavailable") return undefined;
  try {
    const session = lease.stream as SessionId;
    const carried = await loadCarried(deps.log, session);
    const journal = createJournal({ ...deps, told: deps.children.wake }, lease, carried);
    const drive = { ...deps, journal, session };
    const step = next(carried.state, deps.limits);
    if (step.kind === "begin" && takenUp) emitBegin(drive, { ...step.input, cause: step.input.input_id });
    // Whoever asked for more than this was told; what else waits is found by those who look for it, not in a circle here.
    else if (carried.state.turn === null) return takenUp ? undefined : carried;
    const code = error instanceof Stalled ? "stalled" : "internal";
    await endTurn(drive, { kind: "fail", code, error: TURN_FAILURES[code] });
    return carried;
  } catch (again) {
    if (!(again instanceof Lost)) report(again);
    return undefined;
  }
}

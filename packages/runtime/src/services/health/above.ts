import type { SessionId } from "@fairlead/contract";
import { given } from "../../domain/delegation/bounds.ts";
import type { Crossing, HealthState } from "../../domain/health/state.ts";
import { crossedBelow, sharedPolicy } from "../../domain/health/tree.ts";
import { emitTurn } from "../loop/begin.ts";
import { parkFor } from "../loop/consult.ts";
import type { Drive } from "../loop/context.ts";
import { inWords } from "./enforce.ts";
import { enforceParked } from "./enforce-parked.ts";
import { loadHealth } from "./load.ts";

/** By then it has been told to wait, or there is room again. */
const AGAIN_MS = 5_000;

/**
 * Whether the policy of the session at the top lets a sub-agent take another step. Where not, what it says is done to that
 * session, and all that it delegated waits with it. Reads only where there is such a policy.
 */
export async function withinAbove(drive: Drive): Promise<boolean> {
  const { journal, log, clock, session } = drive;
  const delegation = given(journal.state);
  if (delegation === null) return true;
  const root = delegation.root_session_id as SessionId;
  const { state: top } = await loadHealth(log, root);
  if (Object.keys(sharedPolicy(top.policy)).length === 0) return true;
  // First what it did itself: of two that look at the same moment, one sees what the other did.
  await journal.flush();
  const beside = Object.keys(top.below).filter((id) => id !== session) as SessionId[];
  const others = (await Promise.all(beside.map((id) => loadHealth(log, id)))).map(({ state }) => state);
  const over = (state: HealthState): readonly Crossing[] =>
    crossedBelow(state, journal.health.state, others, clock.now());
  const crossed = over(top);
  if (crossed.length === 0) return true;
  const reason = inWords(crossed);
  if (top.background) {
    await enforceParked(drive, root, over);
    parkFor(drive, AGAIN_MS, reason);
    return false;
  }
  // A chat cannot wait: who delegated this hears why it ended.
  emitTurn(drive, { kind: "fail", code: "budget", error: reason });
  return false;
}

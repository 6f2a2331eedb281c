import type { SessionId } from "@fairlead/contract";
import { givenTo } from "../../domain/delegation/bounds.ts";
import type { Crossing, HealthState } from "../../domain/health/state.ts";
import { emitTurn } from "../loop/begin.ts";
import { parkFor } from "../loop/consult.ts";
import type { Drive } from "../loop/context.ts";
import { inWords } from "../../domain/health/in-words.ts";
import { enforceParked } from "./enforce-parked.ts";
import { loadAllHealth, loadHealth } from "./load.ts";

/** By then it has been told to wait, or there is room again. */
const AGAIN_MS = 5_000;

/** The session at the top, and all that works below it. */
export interface Tree {
  readonly root: SessionId;
  readonly top: HealthState;
  /** Of a sub-agent: itself, as it is carried along, and those beside it. */
  readonly own: HealthState;
  readonly others: readonly HealthState[];
}

/**
 * How all fare that a sub-agent works with; undefined for what is not delegated, and where the policy of the session at the
 * top says nothing that `binds`. That session is read first: who ends meanwhile may be counted twice, and never not at all.
 */
export async function treeOf(
  { journal, log, session }: Drive,
  binds: (top: HealthState) => boolean,
): Promise<Tree | undefined> {
  const delegation = givenTo(journal.state);
  if (delegation === null) return undefined;
  const root = delegation.root_session_id as SessionId;
  const { state: top } = await loadHealth(log, root);
  if (!binds(top)) return undefined;
  // First what it did itself: of two that look at the same moment, one sees what the other did.
  await journal.flush();
  const beside = Object.keys(top.below).filter((id) => id !== session) as SessionId[];
  const others = (await loadAllHealth(log, beside)).map(({ state }) => state);
  return { root, top, own: journal.health.state, others };
}

/** Does to the session at the top what its policy says, and what was delegated waits with it. `over`: what is crossed. */
export async function enforceAbove(
  drive: Drive,
  { root, top }: Tree,
  over: (top: HealthState) => readonly Crossing[],
): Promise<void> {
  const reason = inWords(over(top));
  // A chat cannot wait: who delegated this hears why it ended.
  if (!top.background) return emitTurn(drive, { kind: "fail", code: "budget", error: reason });
  await enforceParked(drive, root, over);
  parkFor(drive, AGAIN_MS, reason);
}

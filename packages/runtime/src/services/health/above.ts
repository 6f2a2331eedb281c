import type { NewEvent, SessionId } from "@fairlead/contract";
import { given } from "../../domain/delegation/bounds.ts";
import { enforcedEvent, HEALTH_ORIGIN } from "../../domain/health/enforced.ts";
import type { Crossing, HealthState } from "../../domain/health/state.ts";
import { crossedBelow, sharedPolicy } from "../../domain/health/tree.ts";
import { emitTurn } from "../loop/begin.ts";
import type { Drive } from "../loop/context.ts";
import { inWords } from "./enforce.ts";
import { loadHealth } from "./load.ts";

/**
 * Whether the policy of the session at the top lets a sub-agent take another step. Where not, that session is paused with
 * all that it delegated: it waits for them, so it cannot ask anybody itself. Reads only where there is such a policy.
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
  const others = await Promise.all(beside.map((id) => loadHealth(log, id)));
  const crossed = crossedBelow(
    top,
    journal.health.state,
    others.map(({ state }) => state),
    clock.now(),
  );
  if (crossed.length === 0) return true;
  holdAll(drive, root, top, crossed);
  return false;
}

function holdAll(drive: Drive, root: SessionId, top: HealthState, crossed: readonly Crossing[]): void {
  const { journal, session } = drive;
  const reason = inWords(crossed);
  // A chat cannot wait: who delegated this hears why it ended.
  if (!top.background) return emitTurn(drive, { kind: "fail", code: "budget", error: reason });
  journal.beside({ stream: root, events: overEvents(root, top, crossed, reason) });
  // At once, and not only when the one above says so.
  journal.emit([pausing(session, reason)]);
}

/** That the policy is enforced on a session that nobody drives: from its next boundary on it waits. */
export function overEvents(
  session: SessionId,
  { enforcement }: HealthState,
  crossed: readonly Crossing[],
  reason = inWords(crossed),
): readonly NewEvent[] {
  const said = enforcement?.outcome === "open" ? [] : [enforcedEvent({ action: "pause", crossed, reason })];
  return [...said, pausing(session, reason)];
}

function pausing(session_id: SessionId, reason: string): NewEvent {
  return { type: "runtime.session.pausing", data: { session_id, actor: HEALTH_ORIGIN, reason } };
}

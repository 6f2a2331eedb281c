import { requirementsOf } from "../../domain/evidence/evidence.ts";
import { given } from "../../domain/given.ts";
import { type Step, next } from "../../domain/loop/next.ts";
import { atTurnEnd } from "../hooks/in-turn.ts";
import { prove } from "../evidence/prove.ts";
import type { Drive } from "./context.ts";
import { endTurn } from "./end.ts";

type Complete = Extract<Step, { kind: "complete" }>;

/** Ends the turn with the model's last word, unless hooks, people or what it owes have it go on: then it changes the state. */
export async function completeStep(drive: Drive, { output, reason }: Complete): Promise<void> {
  const { journal, limits, place } = drive;
  const { state } = journal;
  // Somebody may have spoken while hooks ran.
  if (!(await atTurnEnd(drive, output)) || next(state, limits).kind !== "complete") return;
  if (!(await prove(drive))) return;
  const { changed } = state.evidence;
  await place.finish(drive);
  // Somebody may have changed something by hand while the work was put together: then it is looked at again.
  if (requirementsOf(state).length > 0) await journal.catchUp();
  const { evidence } = state;
  if (evidence.changed !== changed && !evidence.missing) return;
  const why = evidence.missing ? "needs_review" : (reason ?? undefined);
  await endTurn(drive, { kind: "complete", output, ...given({ reason: why }) });
}

import type { Wait } from "@fairlead/contract";
import { isPaused } from "../../domain/kernel/next.ts";
import { type Step, next } from "../../domain/loop/next.ts";
import { expireWhenDue, tellPaused } from "../kernel/perform.ts";
import { emitTurn } from "./begin.ts";
import type { Drive } from "./context.ts";
import { resumeTurn } from "./resume.ts";

/** Leaves the turn to the log until what it waits for is over. Whether there is something to do at once. */
export async function parkStep(drive: Drive, { waits }: Extract<Step, { kind: "park" }>): Promise<boolean> {
  const { journal, limits } = drive;
  let nudge = () => {};
  if (journal.state.turn?.waits === null) {
    // What was decided while tools ran need not be waited for.
    await journal.catchUp();
    if (next(journal.state, limits).kind !== "park") return true;
    emitTurn(drive, { kind: "park", waits, reason: waitingFor(waits) });
    if (journal.state.settings?.status === "paused") nudge = tellPaused(drive);
  }
  await journal.flush();
  nudge();
  // Somebody may have been quicker than our own commit.
  await journal.catchUp();
  if (!readyToGoOn(drive)) return next(journal.state, limits).kind === "hold";
  if (await expireWhenDue(drive)) return true;
  await resumeTurn(drive, "What it waited for is over.");
  return true;
}

/** Whether a turn has nothing to wait for. One that lost its process is taken over first, so that this counts; then it waits. */
export function readyToGoOn({ journal, clock }: Pick<Drive, "journal" | "clock">): boolean {
  const { turn } = journal.state;
  if (isPaused(journal.state) && turn?.waits !== null) return false;
  const waits = turn?.waits ?? [];
  return waits.every((wait) => wait.kind === "timer" && Date.parse(wait.until) <= clock.now());
}

function waitingFor(waits: readonly Wait[]): string {
  if (waits.some(({ kind }) => kind === "question")) return "Waits for a person to decide.";
  if (waits.some(({ kind }) => kind === "session")) return "Waits for its sub-agents.";
  return "Waits until it may go on.";
}

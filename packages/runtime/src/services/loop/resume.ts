import { is } from "../../domain/event.ts";
import { isPaused } from "../../domain/kernel/next.ts";
import { next } from "../../domain/loop/next.ts";
import { settleLost } from "../budget/settle.ts";
import { GOES_ON, tellWorking } from "../delegation/hold.ts";
import { emitTurn } from "./begin.ts";
import { superseded } from "./call.ts";
import { type Drive, envelopeOf } from "./context.ts";

/** Goes on with the open turn. What another process left half said is marked, and said again. */
export async function resumeTurn(drive: Drive, reason: string): Promise<void> {
  const { log, journal, session, limits } = drive;
  const { turn } = journal.state;
  if (turn === null) return;
  emitTurn(drive, { kind: "resume", process_id: drive.process, attempt: turn.attempt + 1, reason });
  // What was delegated may have been made to wait with it.
  if (!isPaused(journal.state)) tellWorking(drive, GOES_ON);
  settleLost(drive);
  const step = next(journal.state, limits);
  if (step.kind !== "call" && step.kind !== "reflect") return;
  const page = await log.read(session, {
    before: Number.MAX_SAFE_INTEGER,
    types: ["agent.output.delta", "agent.thinking.delta"],
    limit: 1,
  });
  const [last] = page.events;
  if (last === undefined || last.turn_id !== turn.turn_id) return;
  if (!is(last, "agent.output.delta") && !is(last, "agent.thinking.delta")) return;
  const { attempt = 1 } = last.data;
  if (last.data.step !== step.step || attempt < step.attempt) return;
  journal.emit([superseded(envelopeOf(drive), step.step, attempt, reason)]);
}

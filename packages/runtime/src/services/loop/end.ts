import type { NewEvent, QuestionId } from "@fairlead/contract";
import { recovers } from "../../domain/kernel/turn-events.ts";
import { type EndTurn, OWN_AGENT } from "../../domain/turn-decide.ts";
import { releaseLeftovers } from "../budget/days.ts";
import { settleLost } from "../budget/settle.ts";
import { gatheredEvents } from "../delegation/gather.ts";
import { stopChildren, workingChildren } from "../delegation/stop.ts";
import { emitTurn } from "./begin.ts";
import { type Drive, envelopeOf, turnOf } from "./context.ts";
import { leftOutcomes } from "./left.ts";

type Ending = Pick<
  Drive,
  | "journal"
  | "session"
  | "questions"
  | "children"
  | "tools"
  | "hooks"
  | "report"
  | "limits"
  | "supervision"
  | "budgets"
  | "log"
  | "clock"
>;

/** Ends the turn with all that hangs on it: calls that began have an outcome, and nobody is asked for it any more. */
export async function endTurn(drive: Ending, command: EndTurn): Promise<void> {
  if (recovers(drive.journal.state.settings, command)) {
    // It does not end: what waits for it waits on, and what ran is judged when it goes on.
    emitTurn(drive, command);
    return void (await drive.journal.flush());
  }
  const open = openQuestions(drive);
  const working = workingChildren(drive);
  if (command.kind === "cancel" && (open.length > 0 || working.length > 0)) {
    // Written down first: who finds the turn after a crash must not take a question withdrawn for one that ran out.
    if (turnOf(drive).cancelling === null) drive.journal.emit([cancelling(drive, command.reason ?? "")]);
    await drive.journal.flush();
    await withdraw(drive, open);
  }
  // It ends when all that it delegated has.
  if (working.length > 0) await stopChildren(drive, working, command);
  if (command.kind === "cancel") {
    // Somebody may have spoken since we looked.
    await drive.journal.catchUp();
    drive.journal.emit(unheard(drive));
  }
  settleLost(drive);
  await releaseLeftovers(drive);
  for (const call of turnOf(drive).calls) drive.journal.emit(gatheredEvents(drive, call));
  drive.journal.emit(leftOutcomes(drive));
  emitTurn(drive, command);
  await drive.journal.flush();
  if (command.kind !== "cancel") await withdraw(drive, open);
}

/** What was said to the turn that is stopped goes with it; what was said for afterwards stays. */
function unheard(drive: Ending): NewEvent[] {
  const envelope = envelopeOf(drive);
  return drive.journal.state.held
    .filter(({ mode }) => mode === "steer")
    .map(({ input_id }) => ({
      ...envelope,
      type: "runtime.input.taken",
      data: { input_id, turn_id: envelope.turn_id, dropped: "The turn was cancelled." },
    }));
}

async function withdraw({ questions, report }: Ending, open: readonly QuestionId[]): Promise<void> {
  for (const request_id of open)
    await questions.withdraw(request_id, "The turn that asked has ended.").catch(report);
}

/** What people are asked for this turn. */
function openQuestions({ journal }: Pick<Drive, "journal">): QuestionId[] {
  const { calls = [], gate = null, limit = null } = journal.state.turn ?? {};
  const asked = calls.flatMap(({ stage }) => (stage.at === "asked" ? [stage.request_id] : []));
  const others = [gate, limit].flatMap((one) => (one?.decision === null ? [one.request_id] : []));
  return [...asked, ...others];
}

function cancelling(drive: Ending, reason: string): NewEvent {
  const envelope = envelopeOf(drive);
  return {
    ...envelope,
    type: "runtime.turn.cancelling",
    data: { turn_id: envelope.turn_id, actor: OWN_AGENT, reason },
  };
}

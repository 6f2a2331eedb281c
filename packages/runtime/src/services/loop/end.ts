import type { NewEvent, QuestionId } from "@fairlead/contract";
import { recovers } from "../../domain/kernel/turn-events.ts";
import { type CancelTurn, type EndTurn, OWN_AGENT } from "../../domain/turn-decide.ts";
import { releaseLeftovers } from "../budget/days.ts";
import { settleLost } from "../budget/settle.ts";
import { gatheredEvents } from "../delegation/gather.ts";
import { stopChildren, workingChildren } from "../delegation/stop.ts";
import { emitTurn } from "./begin.ts";
import { type Drive, envelopeOf, turnOf } from "./context.ts";
import { leftOutcomes } from "./left.ts";
import type { Offer } from "./offer.ts";

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
    if (turnOf(drive).cancelling === null) drive.journal.emit([cancelling(drive, command)]);
    await drive.journal.flush();
    await withdraw(drive, open);
  }
  const offers = command.kind === "cancel" ? [] : await withdrawals(drive, open);
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
  // In the commit of the end: after a crash nobody would look for them.
  drive.journal.offer(offers);
  await drive.journal.flush();
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

const ENDED = "The turn that asked has ended.";

async function withdraw({ questions, report }: Ending, open: readonly QuestionId[]): Promise<void> {
  for (const request_id of open) await questions.withdraw(request_id, ENDED).catch(report);
}

async function withdrawals(drive: Ending, open: readonly QuestionId[]): Promise<readonly Offer[]> {
  if (open.length === 0) return [];
  // One may have been asked a moment ago.
  await drive.journal.flush();
  return (await Promise.all(open.map((one) => drive.questions.withdrawal(one, ENDED)))).flat();
}

/** What people are asked for this turn. */
function openQuestions({ journal }: Pick<Drive, "journal">): QuestionId[] {
  const { calls = [], gate = null, limit = null } = journal.state.turn ?? {};
  const asked = calls.flatMap(({ stage }) => (stage.at === "asked" ? [stage.request_id] : []));
  const others = [gate, limit].flatMap((one) => (one?.decision === null ? [one.request_id] : []));
  return [...asked, ...others];
}

function cancelling(drive: Ending, { actor = OWN_AGENT, reason = "" }: CancelTurn): NewEvent {
  const envelope = envelopeOf(drive);
  return {
    ...envelope,
    type: "runtime.turn.cancelling",
    data: { turn_id: envelope.turn_id, actor, reason },
  };
}

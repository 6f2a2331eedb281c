import type { NewEvent } from "@fairlead/contract";
import { stepsOf } from "../../domain/delegation/bounds.ts";
import { EVIDENCE, SOURCE } from "../../domain/evidence/asked.ts";
import { requirementsOf } from "../../domain/evidence/evidence.ts";
import { checksOf, missingOf, missingTools, owedInWords } from "../../domain/evidence/verify.ts";
import { next } from "../../domain/loop/next.ts";
import { type Drive, envelopeOf, turnOf } from "../loop/context.ts";

/** How often in a turn the model is told what it owes. */
const MOST_ASKS = 2;

/**
 * Looks at what the session owes before its turn is done, and says what was found. False when the model is to go on
 * and prove it. What it owes and does not prove is on record, and the turn ends all the same: a person looks at it.
 */
export async function prove(drive: Drive): Promise<boolean> {
  const { journal, limits } = drive;
  if (requirementsOf(journal.state).length === 0) return true;
  // What people did by hand meanwhile counts, and so does what they said.
  await journal.catchUp();
  if (next(journal.state, limits).kind !== "complete") return false;
  const checks = checksOf(journal.state);
  const missing = missingOf(checks);
  const turn = turnOf(drive);
  const mayGoOn = turn.step < stepsOf(journal.state, limits.steps);
  if (missing.length > 0 && mayGoOn && journal.state.evidence.asked < MOST_ASKS) {
    journal.emit([told(drive, owedInWords(missing))]);
    return false;
  }
  const envelope = envelopeOf(drive);
  const reason = missing.map(({ subject, message }) => `${subject}: ${message ?? "missing"}`).join(" ");
  const run = { run_id: envelope.turn_id, session_id: drive.session };
  journal.emit([
    {
      ...envelope,
      type: "runtime.verification.reported",
      data: {
        ...run,
        status: missing.length === 0 ? "passed" : "needs_review",
        checks: checks.map((check) => ({ ...check })),
        residual_risks: missing.map(({ subject }) => `Not proven: ${subject}`),
        updated_at: new Date(journal.now()).toISOString(),
      },
    },
    ...(missing.length === 0 ? [] : [failed(drive, reason)]),
  ]);
  return true;
}

function failed(drive: Drive, reason: string): NewEvent {
  const tools = missingTools(drive.journal.state);
  return {
    ...envelopeOf(drive),
    type: "runtime.execution.contract.failed",
    data: { reason, ...(tools.length === 0 ? {} : { missing_evidence_tools: [...tools] }) },
  };
}

function told(drive: Drive, text: string): NewEvent {
  const envelope = envelopeOf(drive);
  return {
    ...envelope,
    type: "runtime.context.injected",
    data: { turn_id: envelope.turn_id, source: SOURCE, subject: EVIDENCE, text },
  };
}

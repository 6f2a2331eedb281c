import type { NewEvent, QuestionId } from "@fairlead/contract";
import { escalationOf } from "../../domain/approval/mode.ts";
import { callNeed } from "../../domain/budget/reserve.ts";
import { contextTokens } from "../../domain/context/estimate.ts";
import { crossings, limitsAnything } from "../../domain/health/budgets.ts";
import {
  enforcedEvent,
  type Enforcing,
  HEALTH_ORIGIN,
  HEALTH_SUBJECT,
} from "../../domain/health/enforced.ts";
import { inWords } from "../../domain/health/in-words.ts";
import { scoreOf, scoreParts } from "../../domain/health/score.ts";
import { shortOfTree } from "../../domain/health/spent.ts";
import type { Crossing } from "../../domain/health/state.ts";
import { overTime } from "../../domain/health/tree.ts";
import { isBackground } from "../../domain/kernel/background.ts";
import { askedEvent } from "../../domain/question.ts";
import { emitTurn } from "../loop/begin.ts";
import { type Drive, envelopeOf, modesOf } from "../loop/context.ts";
import { messagesOf } from "../loop/prompt.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Model } from "../../ports/model.ts";
import type { Tool } from "../../ports/tool.ts";
import { type Redactor, redacted } from "../redaction.ts";
import type { TurnLimits } from "../turn/limits.ts";
import type { Questions } from "../types.ts";

/** Whether the policy lets the session ask this model. Where not, what it says is done. */
export function withinPolicy(drive: Drive, model: Model, tools: readonly Tool[]): boolean {
  const { state } = drive.journal.health;
  if (!limitsAnything(state.policy)) return true;
  const now = drive.clock.now();
  const score = scoreOf(scoreParts(state, state.policy, now));
  const crossed = crossings(state, state.policy, now, score);
  if (crossed.length === 0) return true;
  // With what this call would cross beside it: one yes is for all of it.
  const specs = tools.map(({ spec }) => spec);
  const input = contextTokens(messagesOf(drive), specs, drive.tokens(model.provider));
  const short = shortOfTree(state, [], callNeed(input, model.price));
  const others = crossed.filter(({ budget }) => !short.some((one) => one.budget === budget));
  enforce(drive, [...others, ...short]);
  return false;
}

/** Whether there is time left: looked at before each wave of tools too, so that a long step does not run on. */
export function withinTime(drive: Drive): boolean {
  const crossed = overTime(drive.journal.health.state, drive.clock.now());
  if (crossed.length > 0) enforce(drive, crossed);
  return crossed.length === 0;
}

/**
 * Does what `policy.health.action` says: a person is asked, or the session waits. Where nobody may be asked, and in a
 * chat, which cannot wait, the turn ends: a limit is never passed because nobody was there.
 */
export function enforce(drive: Drive, crossed: readonly Crossing[]): void {
  const { journal } = drive;
  const { action = "approval_request" } = journal.health.state.policy;
  const reason = inWords(crossed);
  const background = isBackground(journal.state.settings);
  const mayAsk = escalationOf(modesOf(journal).approval_mode, reason).kind === "ask";
  if (action === "approval_request" && mayAsk) return ask(drive, { action, crossed, reason });
  if (!background) return emitTurn(drive, { kind: "fail", code: "budget", error: reason });
  journal.emit(
    own(drive, [
      enforcedEvent({ action: "pause", crossed, reason }),
      {
        type: "runtime.session.pausing",
        data: { session_id: drive.session, actor: HEALTH_ORIGIN, reason },
      },
    ]),
  );
}

function ask(drive: Drive, enforcing: Enforcing): void {
  const { ids, journal } = drive;
  const request_id = ids.next("question");
  const question = limitQuestion(drive, { ...enforcing, request_id });
  journal.emit(own(drive, [enforcedEvent({ ...enforcing, request_id }), question]));
}

export interface Asking {
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly limits: Pick<TurnLimits, "approvalMs">;
  readonly questions: Pick<Questions, "announce">;
}

/** Whether the session may go on beyond what its policy allows. */
export function limitQuestion(
  { clock, redactor, limits, questions }: Asking,
  {
    request_id,
    crossed,
    reason,
  }: Pick<Enforcing, "crossed" | "reason"> & { readonly request_id: QuestionId },
): NewEvent {
  const expires_at =
    limits.approvalMs === undefined ? undefined : new Date(clock.now() + limits.approvalMs).toISOString();
  if (expires_at !== undefined) questions.announce({ expires_at });
  return askedEvent(
    {
      request_id,
      kind: "approval",
      tool_name: HEALTH_SUBJECT,
      reason,
      shown: { reason, crossed: [...crossed] },
      risk: "medium",
      origin: HEALTH_ORIGIN,
      ...(expires_at === undefined ? {} : { expires_at }),
    },
    (shown) => redacted(redactor, shown),
  );
}

function own(drive: Drive, events: readonly NewEvent[]): NewEvent[] {
  const envelope = envelopeOf(drive);
  return events.map((event) => ({ ...event, ...envelope }));
}

import { escalationOf } from "../../domain/approval/mode.ts";
import type { Gate } from "../../domain/loop/state.ts";
import { payloadOf } from "../../domain/loop-supervision/payloads.ts";
import { lastPrompt, withChange } from "../../domain/loop-supervision/prompt-change.ts";
import { type StoredQuestion, askedEvent, shownHash } from "../../domain/question.ts";
import type { Message, Model } from "../../ports/model.ts";
import type { Tool } from "../../ports/tool.ts";
import { redacted } from "../redaction.ts";
import { blocked, consult, parkFor } from "./consult.ts";
import { type Drive, envelopeOf, modesOf, turnOf } from "./context.ts";

/** What becomes of it when the model may not be asked. */
type Refuse = (reason: string) => void;

/** The messages as supervisors and people let them pass; undefined when the turn does not go on now. */
export async function beforePrompt(
  drive: Drive,
  messages: readonly Message[],
  model: Model,
  tools: readonly Tool[],
  refuse: Refuse = (reason) => blocked(drive, reason),
): Promise<readonly Message[] | undefined> {
  const turn = turnOf(drive);
  const step = turn.step + 1;
  const gate = turn.gate?.step === step ? turn.gate : null;
  if (gate?.decision === "denied" || gate?.decision === "expired") {
    const who = gate.decision === "denied" ? `${gate.actor} denied it` : "nobody decided in time";
    refuse(`The model was not asked: ${who}${gate.note === undefined ? "." : `: ${gate.note}`}`);
    return undefined;
  }
  const given = await edited(drive, messages, gate, refuse);
  if (given === undefined) return undefined;
  const payload = payloadOf.prePrompt({
    messages: given,
    provider: model.provider,
    model: model.id,
    step,
    tools: tools.map(({ spec }) => spec.name),
  });
  const effect = await consult(drive, "pre_prompt", payload);
  switch (effect.kind) {
    case "go":
      return changed(given, effect.change, refuse);
    case "stop":
      refuse(effect.reason);
      return undefined;
    case "wait":
      parkFor(drive, effect.ms, effect.reason);
      return undefined;
    case "ask": {
      const made = changed(given, effect.change, refuse);
      if (made === undefined) return undefined;
      const prompt = made[lastPrompt(made)]?.text ?? "";
      if (gate !== null && (await isApproved(drive, gate, prompt))) return made;
      const escalation = escalationOf(modesOf(drive.journal).approval_mode, effect.reason);
      if (escalation.kind === "deny") refuse(escalation.reason);
      else drive.journal.emit([question(drive, prompt, effect.reason)]);
      return undefined;
    }
  }
}

/** With what a person wrote in the place of the prompt they saw, which is judged like any other. */
async function edited(
  drive: Drive,
  messages: readonly Message[],
  gate: Gate | null,
  refuse: Refuse,
): Promise<readonly Message[] | undefined> {
  if (gate?.decision !== "edited") return messages;
  if (typeof gate.edited !== "string") {
    refuse("The model was not asked: what was put in the place of the prompt is no text.");
    return undefined;
  }
  // Something may have been said since: that is not what they changed.
  if (!(await wasShown(drive, gate, messages[lastPrompt(messages)]?.text ?? ""))) return messages;
  return changed(messages, { prompt: gate.edited }, refuse);
}

/** A yes is bound to what was shown, or to what the person wrote: for anything else they are asked again. */
async function isApproved(drive: Drive, gate: Gate, prompt: string): Promise<boolean> {
  return gate.decision === "edited" ? gate.edited === prompt : wasShown(drive, gate, prompt);
}

async function wasShown({ log, redactor }: Drive, gate: Gate, prompt: string): Promise<boolean> {
  const row = await log.row<StoredQuestion>("question", gate.request_id);
  return row?.shown_hash === shownHash(redacted(redactor, shownFor(prompt, row?.reason ?? "")));
}

function changed(
  messages: readonly Message[],
  change: Parameters<typeof withChange>[1] | undefined,
  refuse: Refuse,
): readonly Message[] | undefined {
  if (change === undefined) return messages;
  const made = withChange(messages, change);
  if (made === undefined) refuse("A supervisor changed the prompt in a way that does not fit it.");
  return made;
}

function shownFor(prompt: string, reason: string) {
  return { prompt, reason };
}

function question(drive: Drive, prompt: string, reason: string) {
  const { ids, limits, clock, redactor, questions } = drive;
  const expires_at =
    limits.approvalMs === undefined ? undefined : new Date(clock.now() + limits.approvalMs).toISOString();
  const event = askedEvent(
    {
      request_id: ids.next("question"),
      kind: "approval",
      tool_name: "model",
      reason,
      shown: shownFor(prompt, reason),
      risk: "medium",
      ...(expires_at === undefined ? {} : { expires_at }),
    },
    (shown) => redacted(redactor, shown),
  );
  if (expires_at !== undefined) questions.announce({ expires_at });
  return { ...event, ...envelopeOf(drive) };
}

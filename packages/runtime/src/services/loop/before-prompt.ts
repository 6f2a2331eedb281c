import { withChange } from "../../domain/loop-supervision/prompt-change.ts";
import { payloadOf } from "../../domain/loop-supervision/payloads.ts";
import { askedEvent } from "../../domain/question.ts";
import type { Message, Model } from "../../ports/model.ts";
import type { Tool } from "../../ports/tool.ts";
import { redacted } from "../redaction.ts";
import { blocked, consult, parkFor } from "./consult.ts";
import { type Drive, envelopeOf, modesOf, turnOf } from "./context.ts";
import { escalationOf } from "../../domain/approval/mode.ts";

/** The messages as supervisors let them pass; undefined when the turn does not go on now. */
export async function beforePrompt(
  drive: Drive,
  messages: readonly Message[],
  model: Model,
  tools: readonly Tool[],
): Promise<readonly Message[] | undefined> {
  const turn = turnOf(drive);
  const step = turn.step + 1;
  const payload = payloadOf.prePrompt({
    messages,
    provider: model.provider,
    model: model.id,
    step,
    tools: tools.map(({ spec }) => spec.name),
  });
  const gate = turn.gate?.step === step ? turn.gate : null;
  if (gate?.decision === "denied" || gate?.decision === "expired") {
    const who = gate.decision === "denied" ? `${gate.actor} denied it` : "nobody decided in time";
    blocked(drive, `The model was not asked: ${who}${gate.note === undefined ? "." : `: ${gate.note}`}`);
    return undefined;
  }
  const effect = await consult(drive, "pre_prompt", payload);
  switch (effect.kind) {
    case "go":
      return changed(drive, messages, effect.change);
    case "stop":
      blocked(drive, effect.reason);
      return undefined;
    case "wait":
      parkFor(drive, effect.ms, effect.reason);
      return undefined;
    case "ask": {
      if (gate !== null)
        return changed(drive, messages, typeof gate.edited === "string" ? { prompt: gate.edited } : undefined);
      const escalation = escalationOf(modesOf(drive.journal).approval_mode, effect.reason);
      if (escalation.kind === "deny") blocked(drive, escalation.reason);
      else drive.journal.emit([question(drive, payload.prompt, effect.reason)]);
      return undefined;
    }
  }
}

function changed(
  drive: Drive,
  messages: readonly Message[],
  change: Parameters<typeof withChange>[1] | undefined,
): readonly Message[] | undefined {
  if (change === undefined) return messages;
  const made = withChange(messages, change);
  if (made === undefined) blocked(drive, "A supervisor changed the prompt in a way that does not fit it.");
  return made;
}

function question(drive: Drive, prompt: string, reason: string) {
  const event = askedEvent(
    {
      request_id: drive.ids.next("question"),
      kind: "approval",
      tool_name: "model",
      reason,
      shown: { prompt, reason },
      risk: "medium",
    },
    (shown) => redacted(drive.redactor, shown),
  );
  return { ...event, ...envelopeOf(drive) };
}

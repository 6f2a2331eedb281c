import type { BlockingType } from "@fairlead/ahp";
import type { EffectOf } from "../../domain/loop-supervision/effects.ts";
import { MOST_REFINEMENTS, payloadOf, refined } from "../../domain/loop-supervision/payloads.ts";
import { blocked, consult } from "./consult.ts";
import { type Drive, envelopeOf, turnOf } from "./context.ts";

/**
 * What supervisors give a turn to know before its first step: what is meant, how to go about it, what is remembered and
 * what is there. Each is asked once a turn, where anybody answers for it. False when the turn is over.
 */
export async function inform(drive: Drive): Promise<boolean> {
  const { supervision, session, place } = drive;
  const task = turnOf(drive).input;
  const of = { session_id: session, workspace: place.path() };
  let intent: Extract<EffectOf<"intent_detection">, { kind: "go" }> | undefined;
  if (isDue(drive, "intent_detection")) {
    const effect = await consult(
      drive,
      "intent_detection",
      payloadOf.intentDetection({ ...of, prompt: task }),
    );
    if (effect.kind === "stop") return stop(drive, effect.reason);
    intent = effect.kind === "go" ? effect : undefined;
  }
  if (isDue(drive, "planning")) {
    const effect = await consult(drive, "planning", payloadOf.planning({ ...of, task }));
    if (effect.kind === "stop") return stop(drive, effect.reason);
    const changed =
      effect.kind === "go" && effect.task !== undefined ? `The task is now: ${effect.task}` : "";
    tell(
      drive,
      "planning",
      [changed, (effect.kind === "go" && effect.text) || ""].filter(Boolean).join("\n"),
    );
  }
  if (isDue(drive, "memory_recall")) {
    const effect = await consult(drive, "memory_recall", payloadOf.memoryRecall({ ...of, query: task }));
    if (effect.kind === "stop") return stop(drive, effect.reason);
    tell(drive, "memory_recall", (effect.kind === "go" && effect.text) || "");
  }
  if (isDue(drive, "context_perception")) {
    let payload: Parameters<typeof refined>[0] = payloadOf.contextPerception({
      ...of,
      task,
      ...(intent === undefined ? {} : { intent }),
    });
    let effect = await consult(drive, "context_perception", payload);
    for (let rounds = 0; effect.kind === "refine" && rounds < MOST_REFINEMENTS; rounds++) {
      payload = refined(payload, effect);
      effect = await consult(drive, "context_perception", payload);
    }
    if (effect.kind === "stop") return stop(drive, effect.reason);
    tell(drive, "context_perception", (effect.kind === "go" && effect.text) || "");
  }
  // Only now: what was meant is not kept, so it is asked for again where a process was lost before it was used.
  if (isDue(drive, "intent_detection")) tell(drive, "intent_detection", "");
  return supervision.asks("reasoning") ? reason(drive) : true;
}

/** Hints for the step that comes now. */
async function reason(drive: Drive): Promise<boolean> {
  const { step, input } = turnOf(drive);
  const subject = `reasoning:${step + 1}`;
  if (turnOf(drive).informed.includes(subject)) return true;
  const payload = payloadOf.reasoning({ session_id: drive.session, problem: input });
  const effect = await consult(drive, "reasoning", payload);
  if (effect.kind === "stop") return stop(drive, effect.reason);
  tell(drive, subject, (effect.kind === "go" && effect.text) || "");
  return true;
}

function isDue(drive: Drive, type: BlockingType): boolean {
  return drive.supervision.asks(type) && !turnOf(drive).informed.includes(type);
}

function stop(drive: Drive, why: string): false {
  blocked(drive, why);
  return false;
}

/** Kept, so that the model is told the same after a restart, and nobody is asked twice. */
function tell(drive: Drive, subject: string, text: string): void {
  const envelope = envelopeOf(drive);
  drive.journal.emit([
    {
      ...envelope,
      type: "runtime.context.injected",
      seal: true,
      data: { turn_id: envelope.turn_id, source: "supervisor", subject, text },
    },
  ]);
}

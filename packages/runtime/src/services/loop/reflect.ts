import { type NewEvent, type ReflectionTrigger, TURN_FAILURES } from "@fairlead/contract";
import { isPaused } from "../../domain/kernel/next.ts";
import type { Step } from "../../domain/loop/next.ts";
import { GO_ON, LOOK_BACK, SKIPPED, SOURCE, subjectOf } from "../../domain/loop/reflection.ts";
import type { Model } from "../../ports/model.ts";
import { admit } from "../budget/admit.ts";
import { release } from "../budget/settle.ts";
import { withinAbove } from "../health/above.ts";
import { withinPolicy } from "../health/enforce.ts";
import { beforePrompt } from "./before-prompt.ts";
import { callOnce, candidates } from "./call.ts";
import { type Drive, envelopeOf, turnOf } from "./context.ts";
import { fitContext } from "./fit.ts";
import { messagesOf } from "./prompt.ts";

type ReflectStep = Extract<Step, { kind: "reflect" }>;

/**
 * Asks the model to look back: one call, judged before it is made like any other; each model that stands in is tried
 * once. Nobody needs it, so where it cannot or may not be made the turn goes on without, and the log says why.
 */
export async function reflectStep(drive: Drive, { trigger, step }: ReflectStep): Promise<void> {
  const { journal, tools, signal } = drive;
  if (turnOf(drive).reflecting.pending === null)
    journal.emit([told(drive, subjectOf(trigger), LOOK_BACK[trigger])]);
  const offer = tools.offer(turnOf(drive).input, journal.state.used);
  const models = candidates(drive);
  const [main] = models as readonly [Model, ...Model[]];
  await fitContext(drive, main, offer.tools);
  if (!withinPolicy(drive, main, offer.tools) || !(await withinAbove(drive))) return;
  const skip = (reason: string) => journal.emit([skipped(drive, trigger, main, reason)]);
  const asked = await beforePrompt(drive, messagesOf(drive), main, offer.tools, skip);
  if (asked === undefined) return;
  let reason = "";
  for (const model of models) {
    const admitted = await admit(drive, model, asked, offer.tools, () => skip(TURN_FAILURES.budget));
    if (admitted === undefined) return;
    const recording = { type: "agent.reflection", shown: false, data: { trigger }, ...admitted } as const;
    await journal.flush();
    if (isPaused(journal.state)) return release(drive);
    const result = await callOnce(drive, model, asked, offer.tools, step, Promise.resolve(), recording);
    if (result.kind === "aborted" || signal.aborted) return;
    if (result.kind === "answer") {
      if (trigger === "after_failures" && result.calls.length === 0)
        journal.emit([told(drive, "reflection", GO_ON)]);
      return;
    }
    reason = result.error;
  }
  skip(reason);
}

function told(drive: Drive, subject: string, text: string): NewEvent {
  const envelope = envelopeOf(drive);
  return {
    ...envelope,
    type: "runtime.context.injected",
    data: { turn_id: envelope.turn_id, source: SOURCE, subject, text },
  };
}

function skipped(
  drive: Drive,
  trigger: ReflectionTrigger,
  { provider, id }: Model,
  reason: string,
): NewEvent {
  return {
    ...envelopeOf(drive),
    type: "runtime.transport.diagnostic",
    data: {
      status: "degraded",
      kind: SKIPPED,
      provider_requested: provider,
      reason,
      details: { trigger, model_requested: id },
    },
  };
}

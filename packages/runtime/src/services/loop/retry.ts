import type { NewEvent } from "@fairlead/contract";
import type { Model } from "../../ports/model.ts";
import type { CallFailure } from "../turn/call.ts";
import { emitTurn } from "./begin.ts";
import { type Drive, envelopeOf, turnOf } from "./context.ts";
import { sleep } from "./sleep.ts";
import { parkFor } from "./consult.ts";
import { onRateLimit } from "./on-limit.ts";

export interface Failed {
  readonly model: Model;
  /** Who stands in for it. */
  readonly next: Model | undefined;
  readonly tries: number;
  readonly result: CallFailure;
  /** Of this step, over all models. */
  readonly failures: number;
}

/** `again`: the same model; `next`: the one that stands in for it; `ended`: the turn is over or parked. */
export type AfterFailure = "again" | "next" | "ended";

/**
 * What to do about a failed call: wait and try again while that may help, then the next model, then the end of the
 * turn. A long wait is no loop that somebody holds: the turn is parked until then.
 */
export async function afterFailure(drive: Drive, failed: Failed): Promise<AfterFailure> {
  const { result, tries } = failed;
  const { timers, limits, signal } = drive;
  if (signal.aborted) return "ended";
  if (result.fault === "rate_limit") {
    const plan = await onRateLimit(drive, failed);
    if (plan.kind === "wait") return waitFor(drive, plan.ms, plan.reason);
    if (plan.kind === "queue" && !isTired(drive)) {
      parkFor(drive, plan.ms, plan.reason);
      return "ended";
    }
    if (plan.kind === "skip" || plan.kind === "queue") return fallBack(drive, failed);
  }
  const mayHelp =
    result.fault === "unavailable" || result.fault === "invalid" || result.fault === "rate_limit";
  if (!mayHelp || tries >= limits.callTries) return fallBack(drive, failed);
  const ms = Math.max(result.retryAfterMs ?? 0, limits.retryMs * 2 ** (tries - 1));
  // A model that is there beats one that will be; and nobody waits for ever.
  if (ms > limits.holdMs && (failed.next !== undefined || isTired(drive))) return fallBack(drive, failed);
  if (ms > limits.holdMs) return waitFor(drive, ms, result.error);
  await sleep(timers, ms, signal);
  return "again";
}

/** It has waited as often as it tries: time alone does not mend this. */
function isTired(drive: Drive): boolean {
  return turnOf(drive).pauses >= drive.limits.callTries;
}

async function waitFor(drive: Drive, ms: number, reason: string): Promise<AfterFailure> {
  if (ms <= drive.limits.holdMs) {
    await sleep(drive.timers, ms, drive.signal);
    return "again";
  }
  parkFor(drive, ms, reason);
  return "ended";
}

function fallBack(drive: Drive, { model, next, result, failures }: Failed): AfterFailure {
  if (next === undefined) {
    emitTurn(drive, { kind: "fail", code: result.code, error: result.error });
    return "ended";
  }
  drive.journal.emit([diagnostic(drive, model, next, result, failures)]);
  return "next";
}

function diagnostic(
  drive: Drive,
  from: Model,
  to: Model,
  { error, code }: CallFailure,
  failure_count: number,
): NewEvent {
  return {
    ...envelopeOf(drive),
    type: "runtime.transport.diagnostic",
    data: {
      status: "degraded",
      kind: "provider_fallback",
      provider_requested: from.provider,
      provider_actual: to.provider,
      reason: error,
      failure_count,
      details: { model_requested: from.id, model_actual: to.id, code },
    },
  };
}

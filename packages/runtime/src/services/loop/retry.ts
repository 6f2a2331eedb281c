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
  const { limits, signal } = drive;
  if (signal.aborted) return "ended";
  if (result.fault === "rate_limit") {
    const plan = await onRateLimit(drive, failed);
    if (plan.kind === "wait") return waitFor(drive, failed, plan.ms, plan.reason);
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
  return waitFor(drive, failed, ms, result.error);
}

/** It has waited as often as it tries: time alone does not mend this. */
function isTired(drive: Drive): boolean {
  return turnOf(drive).pauses >= drive.limits.callTries;
}

/** Who looks on is told why nothing comes, and until when, before it is waited. */
async function waitFor(drive: Drive, failed: Failed, ms: number, reason: string): Promise<AfterFailure> {
  const { journal, timers, limits, signal } = drive;
  if (ms > limits.holdMs) {
    parkFor(drive, ms, reason);
    return "ended";
  }
  journal.emit([retryEvent(drive, failed, ms)]);
  await journal.flush();
  await sleep(timers, ms, signal);
  return "again";
}

function fallBack(drive: Drive, failed: Failed): AfterFailure {
  const { next, result } = failed;
  if (next === undefined) {
    emitTurn(drive, { kind: "fail", code: result.code, error: result.error });
    return "ended";
  }
  drive.journal.emit([fallbackEvent(drive, failed, next)]);
  return "next";
}

function retryEvent(drive: Drive, failed: Failed, ms: number): NewEvent {
  const { model, tries } = failed;
  const until = new Date(drive.clock.now() + ms).toISOString();
  return diagnostic(drive, failed, "provider_retry", model, {
    model_requested: model.id,
    attempt: tries,
    attempts: drive.limits.callTries,
    until,
  });
}

function fallbackEvent(drive: Drive, failed: Failed, next: Model): NewEvent {
  const details = { model_requested: failed.model.id, model_actual: next.id };
  return diagnostic(drive, failed, "provider_fallback", next, details);
}

function diagnostic(
  drive: Drive,
  { model, result, failures }: Failed,
  kind: "provider_retry" | "provider_fallback",
  actual: Model,
  details: Readonly<Record<string, unknown>>,
): NewEvent {
  return {
    ...envelopeOf(drive),
    type: "runtime.transport.diagnostic",
    data: {
      // Who waits a moment for the same model lacks nothing.
      status: kind === "provider_retry" ? "retrying" : "degraded",
      kind,
      provider_requested: model.provider,
      provider_actual: actual.provider,
      reason: result.error,
      failure_count: failures,
      details: { ...details, code: result.code },
    },
  };
}

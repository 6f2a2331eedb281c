import { payloadOf } from "../../domain/loop-supervision/payloads.ts";
import { consult } from "./consult.ts";
import type { Drive } from "./context.ts";
import type { Failed } from "./retry.ts";

export type LimitPlan =
  /** As for any other fault. */
  | { readonly kind: "usual" }
  | { readonly kind: "wait"; readonly ms: number; readonly reason: string }
  /** Until the provider takes requests again, and holding nothing meanwhile. */
  | { readonly kind: "queue"; readonly ms: number; readonly reason: string }
  /** The model that stands in, or the end of the turn. */
  | { readonly kind: "skip" };

/** How long to wait where the provider does not say. */
const UNSAID_MS = 30_000;

/** What the supervisor makes of a provider's limit, where one is asked. */
export async function onRateLimit(drive: Drive, { model, result, tries }: Failed): Promise<LimitPlan> {
  if (!drive.supervision.asks("rate_limit")) return { kind: "usual" };
  const ms = result.retryAfterMs ?? UNSAID_MS;
  const payload = payloadOf.rateLimit({
    session_id: drive.session,
    retryAfterMs: ms,
    usage: `${model.provider}/${model.id}, try ${tries}: ${result.error}`,
  });
  const effect = await consult(drive, "rate_limit", payload);
  switch (effect.kind) {
    case "none":
      return { kind: "usual" };
    case "wait":
      // No supervisor can keep a turn trying for ever.
      return tries < drive.limits.callTries ? effect : { kind: "skip" };
    case "queue":
      return { kind: "queue", ms, reason: effect.reason };
    case "skip":
      return { kind: "skip" };
  }
}

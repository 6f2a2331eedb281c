import type { EffectOf } from "../../domain/loop-supervision/effects.ts";
import type { GuardedCall } from "../../domain/guard/types.ts";
import { payloadOf } from "../../domain/loop-supervision/payloads.ts";
import { consult } from "./consult.ts";
import type { Drive } from "./context.ts";

/** Where a supervisor confirms what a person would be asked, it is asked first; it may leave it to the person. */
export async function confirm(
  drive: Drive,
  call: GuardedCall,
  reason: string,
): Promise<EffectOf<"confirmation">> {
  if (!drive.supervision.asks("confirmation")) return { kind: "ask", reason };
  const payload = payloadOf.confirmation({
    session_id: drive.session,
    type: "safety_confirm",
    message: `${call.name} ${JSON.stringify(call.arguments)}: ${reason}`,
  });
  return consult(drive, "confirmation", payload);
}

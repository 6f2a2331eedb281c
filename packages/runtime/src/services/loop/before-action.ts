import type { GuardedCall } from "../../domain/guard/types.ts";
import type { ChangedCall } from "../../domain/loop-supervision/effects.ts";
import { payloadOf } from "../../domain/loop-supervision/payloads.ts";
import { consult, parkFor } from "./consult.ts";
import type { Drive } from "./context.ts";

/** What rules and supervisors make of a call. */
export type Ruled =
  | { readonly kind: "run"; readonly call: GuardedCall }
  | { readonly kind: "ask"; readonly call: GuardedCall; readonly by: string; readonly reason: string }
  | { readonly kind: "deny"; readonly reason: string }
  /** The turn is parked, and the call is judged again after that. */
  | { readonly kind: "wait" };

export async function beforeAction(drive: Drive, call: GuardedCall): Promise<Ruled> {
  const effect = await consult(drive, "pre_action", payloadOf.preAction(call));
  switch (effect.kind) {
    case "deny":
      return effect;
    case "wait":
      parkFor(drive, effect.ms, effect.reason);
      return { kind: "wait" };
    case "ask":
    case "run": {
      const made = effect.call === undefined ? call : await guarded(drive, call, effect.call);
      if (!("arguments" in made)) return made;
      if (effect.kind === "run") return { kind: "run", call: made };
      return { kind: "ask", call: made, by: effect.by, reason: effect.reason };
    }
  }
}

/** What a supervisor wrote passes the guard like what a model wrote, but is not repaired: nobody has judged a repair. */
async function guarded(
  { tools, place }: Drive,
  { tool_call_id }: GuardedCall,
  { name, arguments: args }: ChangedCall,
): Promise<GuardedCall | Extract<Ruled, { kind: "deny" }>> {
  const checked = await tools.check({ tool_call_id, name, arguments: JSON.stringify(args) }, place.path());
  const problem = checked.ok ? checked.call.repairs[0] : checked.faults[0];
  if (checked.ok && problem === undefined) return checked.call;
  return {
    kind: "deny",
    reason: `A supervisor changed this call to one that does not fit: ${problem?.error ?? ""}`,
  };
}

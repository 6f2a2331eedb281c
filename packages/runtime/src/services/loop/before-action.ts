import type { GuardedCall } from "../../domain/guard/types.ts";
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
      return { kind: "ask", call, by: effect.by, reason: effect.reason };
    case "run": {
      if (effect.call === undefined) return { kind: "run", call };
      // What a supervisor wrote passes the guard like what a model wrote.
      const { name, arguments: args } = effect.call;
      const text = JSON.stringify(args);
      const { tool_call_id } = call;
      const guarded = await drive.tools.check({ tool_call_id, name, arguments: text }, drive.workspace);
      if (guarded.ok) return { kind: "run", call: guarded.call };
      return {
        kind: "deny",
        reason: `A supervisor changed this call to one that does not fit: ${guarded.faults[0].error}`,
      };
    }
  }
}

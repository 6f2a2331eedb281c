import type { EventData, NewEvent } from "@fairlead/contract";
import { audited } from "./notes.ts";
import type { Crossing, HealthState } from "./state.ts";

/** What `policy_decision` says was judged, and the origin of the question that follows. */
export const HEALTH_SUBJECT = "health_policy";
export const HEALTH_ORIGIN = "health";

export interface Enforcing {
  readonly action: "approval_request" | "pause";
  readonly crossed: readonly Crossing[];
  readonly reason: string;
  readonly request_id?: string;
}

/** That the policy was enforced, and how. In one commit with what was done. */
export function enforcedEvent({ action, crossed, reason, request_id }: Enforcing): NewEvent {
  return {
    type: "runtime.policy.decision",
    data: {
      subject: HEALTH_SUBJECT,
      outcome: action,
      reason,
      source: HEALTH_ORIGIN,
      details: { crossed, ...(request_id === undefined ? {} : { request_id }) },
    },
  };
}

export function foldEnforced(
  state: HealthState,
  { outcome, reason, details }: EventData<"runtime.policy.decision">,
  at: number,
): void {
  const { crossed = [], request_id } = (details ?? {}) as { crossed?: Crossing[]; request_id?: string };
  const action = outcome === "pause" ? "pause" : "approval_request";
  audited(state, at, "enforced", `${action}: ${reason}`, request_id);
  state.enforcement = {
    action,
    crossed,
    reason,
    at: new Date(at).toISOString(),
    ...(request_id === undefined ? {} : { request_id }),
    outcome: "open",
  };
}

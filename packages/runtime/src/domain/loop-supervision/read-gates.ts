import type { GenericDecision } from "@fairlead/ahp";
import { isRecord } from "../is-record.ts";
import type { Effects } from "./effects.ts";
import { promptChange } from "./prompt-change.ts";
import { asks, waits } from "./waits.ts";

export function readAction(decision: GenericDecision, by: string): Effects["pre_action"] {
  switch (decision.decision) {
    case "allow":
      return (decision.modified_payload ?? null) === null ? { kind: "run" } : changed(decision, by);
    case "modify":
      return changed(decision, by);
    case "block":
      return { kind: "deny", reason: decision.reason };
    case "defer":
      return waits(decision.retry_after_ms, decision.reason, by);
    case "escalate":
      return asks(decision.reason, decision.escalation_target, by);
  }
}

/** A change must be a whole call: half of one would run with the other half of what nobody wanted. */
function changed(decision: { readonly modified_payload?: unknown }, by: string): Effects["pre_action"] {
  const payload = decision.modified_payload;
  const { tool_name: name, arguments: args } = isRecord(payload) ? payload : {};
  if (typeof name !== "string" || name === "" || !isRecord(args))
    return { kind: "deny", reason: `${by} changed the call into something that is none.` };
  return { kind: "run", call: { name, arguments: args } };
}

export function readPrompt(decision: GenericDecision, by: string): Effects["pre_prompt"] {
  switch (decision.decision) {
    case "allow":
    case "modify": {
      if ((decision.modified_payload ?? null) === null) return { kind: "go" };
      const change = promptChange(decision.modified_payload);
      if (change !== undefined) return { kind: "go", change };
      return { kind: "stop", reason: `${by} changed the prompt into something that is none.` };
    }
    case "block":
      return { kind: "stop", reason: decision.reason };
    case "defer":
      return waits(decision.retry_after_ms, decision.reason, by);
    case "escalate":
      return asks(decision.reason, decision.escalation_target, by);
  }
}

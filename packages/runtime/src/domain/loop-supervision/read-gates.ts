import type { GenericDecision } from "@fairlead/ahp";
import { isRecord } from "../is-record.ts";
import type { ChangedCall, Effects } from "./effects.ts";
import { promptChange } from "./prompt-change.ts";
import { asks, waits } from "./waits.ts";

type Changed = { readonly payload: unknown } | undefined;

export function readAction(decision: GenericDecision, by: string, changed?: Changed): Effects["pre_action"] {
  switch (decision.decision) {
    case "allow":
    case "modify": {
      if ((decision.modified_payload ?? null) === null) return { kind: "run" };
      const call = callOf(decision.modified_payload);
      return call === undefined ? noCall(by) : { kind: "run", call };
    }
    case "block":
      return { kind: "deny", reason: decision.reason };
    case "defer":
      return waits(decision.retry_after_ms, decision.reason, by);
    case "escalate": {
      const question = asks(decision.reason, decision.escalation_target, by);
      if (changed === undefined) return question;
      const call = callOf(changed.payload);
      return call === undefined ? noCall(by) : { ...question, call };
    }
  }
}

/** A change must be a whole call: half of one would run with the other half of what nobody wanted. */
function callOf(payload: unknown): ChangedCall | undefined {
  const { tool_name: name, arguments: args } = isRecord(payload) ? payload : {};
  return typeof name !== "string" || name === "" || !isRecord(args) ? undefined : { name, arguments: args };
}

function noCall(by: string): Effects["pre_action"] {
  return { kind: "deny", reason: `${by} changed the call into something that is none.` };
}

export function readPrompt(decision: GenericDecision, by: string, changed?: Changed): Effects["pre_prompt"] {
  switch (decision.decision) {
    case "allow":
    case "modify": {
      if ((decision.modified_payload ?? null) === null) return { kind: "go" };
      const change = promptChange(decision.modified_payload);
      if (change !== undefined) return { kind: "go", change };
      return noPrompt(by);
    }
    case "block":
      return { kind: "stop", reason: decision.reason };
    case "defer":
      return waits(decision.retry_after_ms, decision.reason, by);
    case "escalate": {
      const question = asks(decision.reason, decision.escalation_target, by);
      if (changed === undefined) return question;
      const change = promptChange(changed.payload);
      return change === undefined ? noPrompt(by) : { ...question, change };
    }
  }
}

function noPrompt(by: string): Effects["pre_prompt"] {
  return { kind: "stop", reason: `${by} changed the prompt into something that is none.` };
}

import type { AhpEvent } from "@fairlead/ahp";
import type { EventData, NewEvent } from "@fairlead/contract";
import { hashJson } from "../../domain/canonical.ts";
import type { Objection } from "../../domain/supervision/guards.ts";
import type { Case } from "./chain.ts";
import type { External, ExternalAnswer } from "./external.ts";

/** A guard's objection, as the log keeps decisions. */
export function objectionData(
  { event_type }: AhpEvent,
  { id, decision, reason, tool_name }: Objection,
  rule_set_hash: string,
): EventData<"runtime.policy.decision"> {
  return {
    subject: event_type,
    outcome: decision.decision,
    reason,
    source: id,
    rule_id: id,
    rule_set_hash,
    ...(tool_name === undefined ? {} : { tool_name }),
  };
}

export function askedRecord(matter: Case, event: AhpEvent, round: number, external: External): NewEvent {
  const { supervision_id = "", tool_call_id, isRecorded } = matter;
  return {
    type: "runtime.supervision.asked",
    agent_id: event.agent_id,
    data: {
      supervision_id,
      event_type: event.event_type,
      supervisor: external.name,
      payload: round === 0 && isRecorded ? null : event.payload,
      ...(isRecorded ? {} : { depth: event.depth }),
      ...(tool_call_id === undefined ? {} : { tool_call_id }),
      payload_hash: hashJson(event.payload),
      timeout_ms: external.timeoutMs,
      round,
    },
  };
}

/** An answer, and what asking has changed about the supervisor's circuit. */
export function answerRecords(
  { supervision_id = "" }: Case,
  event: AhpEvent,
  round: number,
  answer: ExternalAnswer,
): NewEvent[] {
  const { by, decision, source, reason, elapsedMs, abstains } = answer;
  const told = abstains ? `${reason ?? ""} Left to the others, as configured.` : reason;
  return [
    {
      type: "runtime.supervision.answered",
      agent_id: event.agent_id,
      data: {
        supervision_id,
        event_type: event.event_type,
        supervisor: by,
        source,
        decision: abstains ? { decision: "abstain" } : decision,
        ...(told === undefined ? {} : { reason: told }),
        elapsed_ms: elapsedMs,
        round,
      },
    },
    ...answer.circuit.map((circuit): NewEvent => ({
      type: "runtime.transport.diagnostic",
      agent_id: event.agent_id,
      data: {
        kind: "supervisor_circuit",
        status: circuit.state,
        reason: reason ?? "It answered.",
        provider_requested: by,
        failure_count: circuit.failures,
      },
    })),
  ];
}

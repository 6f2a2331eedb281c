import type { AhpEvent } from "@fairlead/ahp";
import type { AnswerSource, NewEvent, QuestionId } from "@fairlead/contract";
import { hashJson } from "../../domain/canonical.ts";
import { CHAIN } from "../../domain/supervision/tally.ts";
import type { AnyDecision } from "../../ports/supervisor.ts";
import type { Judgement } from "./chain.ts";

/** What the agent is told, and on whose word. */
export interface Answer {
  readonly decision: AnyDecision;
  readonly source: AnswerSource;
  readonly by: string;
  readonly request_id?: QuestionId;
  /** For the log, where the decision does not say it. */
  readonly reason?: string;
}

/** Why a person is asked, in words for them. */
export function reasonOf({ decision, by }: Judgement): string {
  const said = decision?.["reason"];
  const target = decision?.["escalation_target"];
  const to = typeof target === "string" ? ` (for ${target})` : "";
  return `${typeof said === "string" && said !== "" ? said : `Asked for by ${by}.`}${to}`;
}

export function askedRecord(supervision_id: string, event: AhpEvent, timeout_ms: number): NewEvent {
  const { event_type, payload, depth, session_id, timestamp, context, metadata, agent_id } = event;
  return {
    type: "runtime.supervision.asked",
    agent_id,
    data: {
      supervision_id,
      event_type,
      supervisor: CHAIN,
      payload,
      payload_hash: hashJson(payload),
      depth,
      timeout_ms,
      agent_session: session_id,
      agent_time: timestamp,
      ...(context === undefined ? {} : { context }),
      ...(metadata === undefined ? {} : { metadata }),
    },
  };
}

export function answeredRecord(
  { event, supervision_id }: { readonly event: AhpEvent; readonly supervision_id: string },
  { decision, source, by, request_id, reason }: Answer,
  elapsedMs: number,
): NewEvent {
  return {
    type: "runtime.supervision.answered",
    agent_id: event.agent_id,
    data: {
      supervision_id,
      event_type: event.event_type,
      supervisor: CHAIN,
      source,
      decision,
      decided_by: by,
      elapsed_ms: Math.max(0, elapsedMs),
      ...(request_id === undefined ? {} : { request_id }),
      ...(reason === undefined ? {} : { reason }),
    },
  };
}

import type { z } from "zod";
import type { EventDef, Owner, Tier } from "./define.ts";
import { ARTIFACT_EVENTS } from "./events/artifact.ts";
import { BUDGET_EVENTS } from "./events/budget.ts";
import { DIAGNOSTIC_EVENTS } from "./events/diagnostic.ts";
import { HEALTH_EVENTS } from "./events/health.ts";
import { HOOK_EVENTS } from "./events/hook.ts";
import { JOB_EVENTS } from "./events/job.ts";
import { KERNEL_EVENTS } from "./events/kernel.ts";
import { LOG_EVENTS } from "./events/log.ts";
import { MEMORY_EVENTS } from "./events/memory.ts";
import { OUTPUT_EVENTS } from "./events/output.ts";
import { PROGRESS_EVENTS } from "./events/progress.ts";
import { QUESTION_EVENTS } from "./events/question.ts";
import { REQUEST_EVENTS } from "./events/request.ts";
import { RETRIEVAL_EVENTS } from "./events/retrieval.ts";
import { RUN_EVENTS } from "./events/run.ts";
import { SESSION_EVENTS } from "./events/session.ts";
import { SKILL_EVENTS } from "./events/skill.ts";
import { SPEC_DRIVEN_EVENTS } from "./events/spec-driven.ts";
import { STEP_EVENTS } from "./events/step.ts";
import { SUPERVISION_EVENTS } from "./events/supervision.ts";
import { TOKEN_EVENTS } from "./events/token.ts";
import { TOOL_EVENTS } from "./events/tool.ts";
import { TRANSCRIPT_EVENTS } from "./events/transcript.ts";
import { WORKFLOW_EVENTS } from "./events/workflow.ts";

/**
 * The catalogue: every event the log can hold, and the two that are only told to a reader.
 * Types, validators, JSON Schema, the reference page, `/stream-events` and the faces are derived from it.
 */
export const EVENTS = {
  ...SESSION_EVENTS,
  ...KERNEL_EVENTS,
  ...REQUEST_EVENTS,
  ...OUTPUT_EVENTS,
  ...TOOL_EVENTS,
  ...STEP_EVENTS,
  ...QUESTION_EVENTS,
  ...DIAGNOSTIC_EVENTS,
  ...HOOK_EVENTS,
  ...RETRIEVAL_EVENTS,
  ...HEALTH_EVENTS,
  ...BUDGET_EVENTS,
  ...MEMORY_EVENTS,
  ...WORKFLOW_EVENTS,
  ...ARTIFACT_EVENTS,
  ...SPEC_DRIVEN_EVENTS,
  ...SKILL_EVENTS,
  ...PROGRESS_EVENTS,
  ...RUN_EVENTS,
  ...SUPERVISION_EVENTS,
  ...JOB_EVENTS,
  ...TRANSCRIPT_EVENTS,
  ...TOKEN_EVENTS,
  ...LOG_EVENTS,
};

export type EventType = keyof typeof EVENTS;
export type EventData<T extends EventType> = z.infer<(typeof EVENTS)[T]["data"]>;

export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[];

/** Whether this program knows the type. Own keys only: `toString` is no event. */
export function isEventType(text: string): text is EventType {
  return Object.hasOwn(EVENTS, text);
}

function lookUp(type: string): EventDef | null {
  return isEventType(type) ? EVENTS[type] : null;
}

/** An unknown type is a newer writer's: shown, but only to who asks for detail. */
export function tierOf(type: string): Tier {
  return lookUp(type)?.tier ?? "debug";
}

/** The namespace says who owns a type that this program does not know. */
export function ownerOf(type: string): Owner {
  return lookUp(type)?.owner ?? (type.startsWith("agent.") ? "agent" : "runtime");
}

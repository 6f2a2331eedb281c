import type { z } from "zod";

import { ConfirmationDecision, ConfirmationPayload } from "./events/confirmation.ts";
import { ContextPerceptionDecision, ContextPerceptionPayload } from "./events/context-perception.ts";
import { GenericDecision } from "./events/generic.ts";
import { HeartbeatPayload } from "./events/heartbeat.ts";
import { IdleDecision, IdlePayload } from "./events/idle.ts";
import { IntentDetectionDecision, IntentDetectionPayload } from "./events/intent-detection.ts";
import { MemoryRecallDecision, MemoryRecallPayload } from "./events/memory-recall.ts";
import { PlanningDecision, PlanningPayload } from "./events/planning.ts";
import { RateLimitDecision, RateLimitPayload } from "./events/rate-limit.ts";
import { ReasoningDecision, ReasoningPayload } from "./events/reasoning.ts";
import { RunLifecyclePayload } from "./events/run-lifecycle.ts";
import { SuccessPayload } from "./events/success.ts";
import { TaskListPayload } from "./events/task-list.ts";
import { VerificationPayload } from "./events/verification.ts";

interface EventEntry {
  readonly timing: string;
  /** A blocking event is a request and gets a decision; the others are notifications. */
  readonly blocking: boolean;
  readonly decision: z.ZodType | null;
  readonly batchable: boolean;
  /** Null where the protocol leaves the payload free. */
  readonly payload: z.ZodType | null;
  /** A runtime-contract event: its payload is checked wherever it comes. */
  readonly contract: boolean;
}

const gate = {
  blocking: true,
  decision: GenericDecision,
  batchable: true,
  payload: null,
  contract: false,
} as const;
const asked = { blocking: true, batchable: false, contract: false } as const;
const told = {
  blocking: false,
  decision: null,
  batchable: true,
  payload: null,
  contract: false,
} as const;
const snapshot = { ...told, contract: true } as const;

/** Every event type of the protocol: the source of types, validators, JSON Schema and docs. */
export const AHP_EVENTS = {
  pre_action: { ...gate, timing: "Before a tool or action executes" },
  post_action: { ...told, timing: "After a tool or action completes" },
  pre_prompt: { ...gate, timing: "Before a request to a language model" },
  post_response: { ...told, timing: "After a language model has answered" },
  session_start: { ...told, timing: "A session begins" },
  session_end: { ...told, timing: "A session ends" },
  error: { ...told, timing: "An operation failed" },
  heartbeat: { ...told, timing: "Now and then: alive, and how busy", payload: HeartbeatPayload },
  success: { ...told, timing: "An operation succeeded", payload: SuccessPayload },
  idle: {
    ...asked,
    timing: "May background work run?",
    decision: IdleDecision,
    payload: IdlePayload,
  },
  intent_detection: {
    ...asked,
    timing: "Before context work: what does the user want?",
    decision: IntentDetectionDecision,
    payload: IntentDetectionPayload,
  },
  context_perception: {
    ...asked,
    timing: "The model needs to know its workspace",
    decision: ContextPerceptionDecision,
    payload: ContextPerceptionPayload,
  },
  memory_recall: {
    ...asked,
    timing: "The model needs facts from memory",
    decision: MemoryRecallDecision,
    payload: MemoryRecallPayload,
  },
  planning: {
    ...asked,
    timing: "Before planning: which strategy?",
    decision: PlanningDecision,
    payload: PlanningPayload,
  },
  reasoning: {
    ...asked,
    timing: "Before reasoning: any hints?",
    decision: ReasoningDecision,
    payload: ReasoningPayload,
  },
  rate_limit: {
    ...asked,
    timing: "A limit was hit: retry, queue or skip?",
    decision: RateLimitDecision,
    payload: RateLimitPayload,
  },
  confirmation: {
    ...asked,
    timing: "Before something that wants a yes",
    decision: ConfirmationDecision,
    payload: ConfirmationPayload,
  },
  run_lifecycle: { ...snapshot, timing: "A run changed state", payload: RunLifecyclePayload },
  task_list: { ...snapshot, timing: "The task list changed", payload: TaskListPayload },
  verification: { ...snapshot, timing: "Verification has news", payload: VerificationPayload },
} as const satisfies Record<string, EventEntry>;

/** In the taxonomy of event types, but spoken by their own methods. */
export const METHOD_EVENTS = { handshake: "ahp/handshake", query: "ahp/query" } as const;

type Events = typeof AHP_EVENTS;
export type EventType = keyof Events;
type Where<Field extends keyof EventEntry, Value> = {
  [T in EventType]: Events[T] extends Record<Field, Value> ? T : never;
}[EventType];

export type BlockingType = Where<"blocking", true>;
export type NoticeType = Where<"blocking", false>;
export type BatchableType = Where<"batchable", true>;
/** Blocking types that take the generic decision. */
export type GateType = Extract<BlockingType, BatchableType>;

type Schema<T extends EventType> = Events[T]["payload"];
/** A payload as a reader gets it. */
export type PayloadOf<T extends EventType> = Schema<T> extends z.ZodType ? z.output<Schema<T>> : unknown;
/** A payload as a writer gives it. */
export type PayloadInput<T extends EventType> = Schema<T> extends z.ZodType ? z.input<Schema<T>> : unknown;
export type DecisionOf<T extends EventType> = Events[T]["decision"] extends z.ZodType
  ? z.output<Events[T]["decision"]>
  : never;

export const EVENT_TYPES = Object.keys(AHP_EVENTS) as EventType[];

export function isEventType(name: unknown): name is EventType {
  return typeof name === "string" && Object.hasOwn(AHP_EVENTS, name);
}

export function isBlocking(type: EventType): type is BlockingType {
  return AHP_EVENTS[type].blocking;
}

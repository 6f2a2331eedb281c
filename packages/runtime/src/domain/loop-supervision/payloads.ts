import type {
  ConfirmationType,
  PayloadInput,
  PerceptionDomain,
  PerceptionIntent,
  PlanningStrategy,
  RateLimitType,
  ReasoningType,
  TargetHints,
} from "@fairlead/ahp";
import { PerceptionDomain as DOMAINS, PerceptionIntent as INTENTS } from "@fairlead/ahp";
import type { Message } from "../../ports/model.ts";
import type { ToolArguments } from "../../ports/tool.ts";
import type { EffectOf } from "./effects.ts";
import { freshFrom, lastPrompt } from "./prompt-change.ts";

/** How often a supervisor may refine what it is asked before the loop goes on without. */
export const MOST_REFINEMENTS = 3;

const STRATEGIES: readonly PlanningStrategy[] = [
  "none",
  "step_by_step",
  "tree_of_thoughts",
  "graph_planning",
];

interface OfSession {
  readonly session_id: string;
}

interface Perceived extends OfSession {
  readonly workspace: string;
  /** What the user asked for. */
  readonly task: string;
  /** What was detected of it before. */
  readonly intent?: Pick<Extract<EffectOf<"intent_detection">, { kind: "go" }>, "intent" | "hints">;
}

/** The payload of each question, with the protocol's own names. Of free payloads: by its convention, and then ours. */
export const payloadOf = {
  preAction: (call: {
    readonly tool_call_id: string;
    readonly name: string;
    readonly arguments: ToolArguments;
  }) => ({ tool_name: call.name, arguments: call.arguments, tool_call_id: call.tool_call_id }),

  /** Only what the model has not seen yet, so that a long conversation costs no more than a short one. */
  prePrompt: ({ messages, ...rest }: PromptOf) => {
    const { provider, model, step, tools } = rest;
    return {
      prompt: messages[lastPrompt(messages)]?.text ?? "",
      messages: messages.slice(freshFrom(messages)).map(spoken),
      message_count: messages.length,
      provider,
      model,
      step,
      tools: [...tools],
    };
  },

  planning: ({ session_id, task }: OfSession & { readonly task: string }) =>
    ({
      session_id,
      task_description: task,
      available_strategies: [...STRATEGIES],
    }) satisfies PayloadInput<"planning">,

  reasoning: (given: OfSession & { readonly problem: string; readonly type?: ReasoningType }) =>
    ({
      session_id: given.session_id,
      reasoning_type: given.type ?? "re_act",
      problem_statement: given.problem,
    }) satisfies PayloadInput<"reasoning">,

  intentDetection: ({ session_id, prompt, workspace }: OfSession & IntentOf) =>
    ({ session_id, prompt, workspace }) satisfies PayloadInput<"intent_detection">,

  contextPerception: ({ session_id, workspace, task, intent }: Perceived) =>
    ({
      session_id,
      intent: intentOf(intent?.intent),
      target: targetOf(intent?.hints),
      domain: domainOf(intent?.hints),
      context: { workspace, current_task: task, query: task },
    }) satisfies PayloadInput<"context_perception">,

  memoryRecall: ({ session_id, query, workspace }: OfSession & RecallOf) =>
    ({
      session_id,
      query,
      memory_type: "session",
      max_results: 10,
      working_directory: workspace,
    }) satisfies PayloadInput<"memory_recall">,

  rateLimit: (given: OfSession & LimitOf) =>
    ({
      session_id: given.session_id,
      limit_type: given.type ?? "llm_request_limit",
      retry_after_ms: Math.max(0, Math.round(given.retryAfterMs)),
      current_usage: given.usage,
    }) satisfies PayloadInput<"rate_limit">,

  confirmation: ({ session_id, type, message, options }: OfSession & ConfirmedOf) =>
    ({
      session_id,
      confirmation_type: type,
      message,
      ...(options === undefined ? {} : { options: [...options] }),
    }) satisfies PayloadInput<"confirmation">,

  idle: ({ ms, reason, suggested }: IdleOf) =>
    ({
      idle_duration_ms: Math.max(0, Math.round(ms)),
      idle_reason: reason,
      ...(suggested === undefined ? {} : { suggested_action: suggested }),
    }) satisfies PayloadInput<"idle">,
};

interface PromptOf {
  readonly messages: readonly Message[];
  readonly provider: string;
  readonly model: string;
  readonly step: number;
  /** By name. */
  readonly tools: readonly string[];
}
interface IntentOf {
  readonly prompt: string;
  readonly workspace: string;
}
interface RecallOf {
  readonly query: string;
  readonly workspace: string;
}
interface LimitOf {
  readonly type?: RateLimitType;
  readonly retryAfterMs: number;
  /** In words. */
  readonly usage: string;
}
interface ConfirmedOf {
  readonly type: ConfirmationType;
  readonly message: string;
  readonly options?: readonly string[];
}
interface IdleOf {
  readonly ms: number;
  readonly reason: string;
  readonly suggested?: string;
}

/** The question once more, as a supervisor refined it. */
export function refined(
  payload: PayloadInput<"context_perception">,
  { intent, target, scope_hints }: Extract<EffectOf<"context_perception">, { kind: "refine" }>,
): PayloadInput<"context_perception"> {
  return {
    ...payload,
    ...(intent === undefined ? {} : { intent }),
    ...(target === undefined ? {} : { target }),
    metadata: { ...payload.metadata, scope_hints: [...scope_hints] },
  };
}

function spoken(message: Message): Record<string, unknown> {
  const { role, text } = message;
  return role === "tool"
    ? { role, content: text, tool_call_id: message.tool_call_id, tool_name: message.name }
    : { role, content: text };
}

function intentOf(detected: string | undefined): PerceptionIntent {
  const known = INTENTS.safeParse(detected);
  return known.success ? known.data : "understand";
}

function domainOf(hints: TargetHints | undefined): PerceptionDomain {
  const known = DOMAINS.safeParse(hints?.domain);
  return known.success ? known.data : "general";
}

function targetOf(hints: TargetHints | undefined): PayloadInput<"context_perception">["target"] {
  const name = hints?.target_name;
  if (name === undefined) return { location: { path: ".", location_type: "workspace" } };
  return { entity: { name, entity_type: hints?.target_type ?? "unknown" } };
}

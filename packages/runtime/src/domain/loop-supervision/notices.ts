import type { NoticeType, PayloadInput } from "@fairlead/ahp";
import type { EventData, EventType, NewEvent } from "@fairlead/contract";
import { cut } from "./render.ts";

export interface Notice<T extends NoticeType = NoticeType> {
  readonly type: T;
  readonly payload: PayloadInput<T>;
}

export interface NoticeContext {
  readonly session_id: string;
  /** How long the turn has taken so far. */
  readonly turnMs: number;
}

/** Texts that supervisors are told; the log has them whole. */
const MOST_TEXT = 8_000;

type Told = (event: NewEvent, context: NoticeContext, all: readonly NewEvent[]) => readonly Notice[];

/** What supervisors are told of each event of a run of our own. */
const NOTICES: Partial<Record<EventType, Told>> = {
  "agent.tool.outcome": (event) => toolEnded(event.data as EventData<"agent.tool.outcome">),
  "agent.output.completed": (event, _, all) => [
    answered(event.data as EventData<"agent.output.completed">, all),
  ],
  "agent.reflection": (event, _, all) => [answered(event.data as EventData<"agent.reflection">, all)],
  "runtime.request.failed": ({ data }) => {
    const { error, code, turn_id } = data as EventData<"runtime.request.failed">;
    return [{ type: "error", payload: { message: cut(error, MOST_TEXT), code, run_id: turn_id } }];
  },
  "runtime.request.completed": ({ data }, { session_id, turnMs }) => {
    const { output } = data as EventData<"runtime.request.completed">;
    const duration_ms = Math.max(0, Math.round(turnMs));
    return [
      {
        type: "success",
        payload: { session_id, action_type: "turn", action_summary: cut(output, 500), duration_ms },
      } satisfies Notice<"success">,
    ];
  },
  "runtime.run.lifecycle": ({ data }) => [
    { type: "run_lifecycle", payload: bare(data as EventData<"runtime.run.lifecycle">) },
  ],
  "runtime.task.list": ({ data }) => [
    { type: "task_list", payload: bare(data as EventData<"runtime.task.list">) },
  ],
  "runtime.verification.reported": ({ data }) => [
    { type: "verification", payload: bare(data as EventData<"runtime.verification.reported">) },
  ],
};

/** The notifications that events of one commit are worth, in order. Cheap for events that are worth none. */
export function noticesOf(events: readonly NewEvent[], context: NoticeContext): readonly Notice[] {
  const notices: Notice[] = [];
  for (const event of events) {
    const told = NOTICES[event.type];
    if (told !== undefined) notices.push(...told(event, context, events));
  }
  return notices;
}

/** What is told beside what the log says. */
export const noticeOf = {
  sessionStart: (given: { readonly session_id: string; readonly workspace: string }): Notice => ({
    type: "session_start",
    payload: { ...given },
  }),
  sessionEnd: (given: { readonly session_id: string; readonly reason: string }): Notice => ({
    type: "session_end",
    payload: { ...given },
  }),
  heartbeat: (payload: PayloadInput<"heartbeat">): Notice<"heartbeat"> => ({ type: "heartbeat", payload }),
};

function toolEnded(data: EventData<"agent.tool.outcome">): readonly Notice[] {
  const { tool_call_id, tool_name, status, elapsed_ms, error } = data;
  const said = error === undefined ? {} : { error: cut(error, MOST_TEXT) };
  const ended: Notice = {
    type: "post_action",
    payload: { tool_name, tool_call_id, status, elapsed_ms, ...said },
  };
  if (status !== "error" && status !== "timeout") return [ended];
  const message = cut(error ?? `${tool_name}: ${status}`, MOST_TEXT);
  return [ended, { type: "error", payload: { message, tool_name, tool_call_id } }];
}

function answered(
  data: EventData<"agent.output.completed" | "agent.reflection">,
  all: readonly NewEvent[],
): Notice {
  const { text, step, attempt, tool_calls = [], provider, model } = data;
  const spent = all.find(
    (event) =>
      event.type === "agent.usage" && event.data["step"] === step && event.data["attempt"] === attempt,
  )?.data as EventData<"agent.usage"> | undefined;
  return {
    type: "post_response",
    payload: {
      text: cut(text, MOST_TEXT),
      tool_calls: tool_calls.map(({ tool_call_id, name }) => ({ tool_call_id, tool_name: name })),
      ...(step === undefined ? {} : { step }),
      ...(provider === undefined ? {} : { provider }),
      ...(model === undefined ? {} : { model }),
      ...(spent === undefined ? {} : { usage: usageOf(spent) }),
    },
  };
}

function usageOf(spent: EventData<"agent.usage">): Record<string, number> {
  const { input_tokens, output_tokens, total_tokens, cost_usd } = spent;
  return { input_tokens, output_tokens, total_tokens, ...(cost_usd === undefined ? {} : { cost_usd }) };
}

/** The protocol's own words, without what the log keeps beside them. */
function bare<D extends { readonly ahp_envelope?: unknown }>({ ahp_envelope: _, ...payload }: D) {
  return payload as Omit<D, "ahp_envelope">;
}

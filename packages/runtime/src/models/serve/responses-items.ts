import type { RequestedCall } from "@fairlead/contract";
import type { FinishReason, TokenUsage } from "../../ports/model.ts";

/** An item that is not done has no text yet. */
export function messageItem(at: number, text: string | undefined): unknown {
  return {
    type: "message",
    id: `msg_${at}`,
    role: "assistant",
    status: text === undefined ? "in_progress" : "completed",
    content: text === undefined ? [] : [{ type: "output_text", text, annotations: [] }],
  };
}

/** Carries what a client that keeps nothing at the provider must send back. */
export function reasoningItem(at: number, text: string | undefined): unknown {
  return {
    type: "reasoning",
    id: `rs_${at}`,
    encrypted_content: text === undefined ? null : Buffer.from(text).toString("base64"),
    summary: text === undefined ? [] : [{ type: "summary_text", text }],
  };
}

export function callItem(at: number, call: RequestedCall, status: "in_progress" | "completed"): unknown {
  const { tool_call_id: call_id, name, arguments: args } = call;
  return { type: "function_call", id: `fc_${at}`, call_id, name, arguments: args, status };
}

export interface ResponseFields {
  readonly model: string;
  readonly status: "in_progress" | "completed" | "incomplete";
  readonly output: readonly unknown[];
  readonly reason?: FinishReason;
  readonly usage?: TokenUsage;
}

export function responseOf({ model, status, output, reason, usage }: ResponseFields): unknown {
  const cut = { reason: reason === "length" ? "max_output_tokens" : "content_filter" };
  return {
    id: "resp_scripted",
    object: "response",
    created_at: 1_767_225_600,
    status,
    model,
    output,
    error: null,
    incomplete_details: status === "incomplete" ? cut : null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    tool_choice: "auto",
    tools: [],
    usage: usage === undefined ? null : usageOf(usage),
  };
}

function usageOf({
  input_tokens,
  output_tokens,
  cached_input_tokens = 0,
  reasoning_tokens = 0,
}: TokenUsage): unknown {
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: cached_input_tokens },
    output_tokens,
    output_tokens_details: { reasoning_tokens },
    total_tokens: input_tokens + output_tokens,
  };
}

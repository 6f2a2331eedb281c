import type { RequestedCall } from "@fairlead/contract";
import type { FinishReason, Message, TokenUsage } from "../../ports/model.ts";
import { asText, assistant, contentText, isJson, type Json, listOf, resultOf, toolSpec } from "./decode.ts";
import {
  type Asked,
  type Dialect,
  type Encoder,
  EVENTS,
  garbageFrame,
  halves,
  namedFrame,
  wholeEncoder,
} from "./dialect.ts";

const REASONS = {
  stop: "end_turn",
  length: "max_tokens",
  filter: "refusal",
  tool_calls: "tool_use",
} as const;
const ID = "msg_scripted";
/** Anthropic wants thinking back with the signature it gave. */
const SIGNATURE = "c2NyaXB0ZWQ=";

/** Anthropic's messages. */
export const anthropicMessages: Dialect = {
  decode(body) {
    const messages: Message[] = [];
    const system = contentText(body["system"]);
    if (system !== "") messages.push({ role: "system", text: system });
    for (const item of listOf(body["messages"], "messages")) addMessage(item, messages);
    const tools = Array.isArray(body["tools"]) ? listOf(body["tools"], "tools") : [];
    return {
      request: {
        messages,
        tools: tools.map(({ name, description, input_schema }) => toolSpec(name, description, input_schema)),
      },
      model: asText(body["model"]),
      stream: body["stream"] === true,
      usage: true,
    };
  },
  encode: (asked) => (asked.stream ? streamed(asked) : whole(asked)),
  error: (status, message) => ({ type: "error", error: { type: typeOf(status), message } }),
};

/** Results and words of a person come in one message here. */
function addMessage(item: Json, messages: Message[]): void {
  const text = contentText(item["content"]);
  const parts = Array.isArray(item["content"]) ? item["content"].filter(isJson) : [];
  if (item["role"] === "assistant") {
    const calls = parts.filter(({ type }) => type === "tool_use");
    messages.push(assistant(text, calls.map(callOf)));
    return;
  }
  const results = parts.filter(({ type }) => type === "tool_result");
  for (const { tool_use_id, content, is_error } of results)
    messages.push(resultOf(messages, asText(tool_use_id), contentText(content), is_error === true));
  if (text !== "" || results.length === 0) messages.push({ role: "user", text });
}

function callOf({ id, name, input }: Json): RequestedCall {
  return { tool_call_id: asText(id), name: asText(name), arguments: JSON.stringify(input ?? {}) };
}

function streamed({ model }: Asked): Encoder {
  let index = -1;
  let open: "text" | "thinking" | undefined;
  const delta = (value: unknown): string =>
    namedFrame("content_block_delta", { type: "content_block_delta", index, delta: value });
  const begin = (content_block: unknown): string => {
    index += 1;
    return namedFrame("content_block_start", { type: "content_block_start", index, content_block });
  };
  function close(): string {
    if (open === undefined) return "";
    const signature = open === "thinking" ? delta({ type: "signature_delta", signature: SIGNATURE }) : "";
    open = undefined;
    return signature + namedFrame("content_block_stop", { type: "content_block_stop", index });
  }
  function enter(kind: "text" | "thinking"): string {
    if (open === kind) return "";
    const closed = close();
    open = kind;
    return (
      closed +
      begin(kind === "text" ? { type: "text", text: "" } : { type: "thinking", thinking: "", signature: "" })
    );
  }
  return {
    contentType: EVENTS,
    start: () =>
      namedFrame("message_start", {
        type: "message_start",
        message: {
          ...messageHead(model),
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: NO_USAGE,
        },
      }),
    text: (words) => enter("text") + words.map((text) => delta({ type: "text_delta", text })).join(""),
    thinking: (words) =>
      enter("thinking") + words.map((thinking) => delta({ type: "thinking_delta", thinking })).join(""),
    call(call, half) {
      const closed = close();
      const started = begin({ type: "tool_use", id: call.tool_call_id, name: call.name, input: {} });
      const pieces = halves(call.arguments).slice(0, half ? 1 : 2);
      const sent = pieces.map((partial_json) => delta({ type: "input_json_delta", partial_json })).join("");
      return (
        closed +
        started +
        sent +
        (half ? "" : namedFrame("content_block_stop", { type: "content_block_stop", index }))
      );
    },
    garbage: garbageFrame,
    fault: ({ message, status = 500 }) =>
      namedFrame("error", { type: "error", error: { type: typeOf(status), message } }),
    end: (reason, usage) =>
      close() +
      namedFrame("message_delta", {
        type: "message_delta",
        delta: { stop_reason: REASONS[reason], stop_sequence: null },
        usage: usageOf(usage),
      }) +
      namedFrame("message_stop", { type: "message_stop" }),
  };
}

function whole({ model }: Asked): Encoder {
  return wholeEncoder(({ text, thinking, calls }, reason: FinishReason, usage) => ({
    ...messageHead(model),
    content: [
      ...(thinking === "" ? [] : [{ type: "thinking", thinking, signature: SIGNATURE }]),
      ...(text === "" ? [] : [{ type: "text", text }]),
      ...calls.map(({ tool_call_id: id, name, arguments: args }) => ({
        type: "tool_use",
        id,
        name,
        input: parsed(args),
      })),
    ],
    stop_reason: REASONS[reason],
    stop_sequence: null,
    usage: usageOf(usage),
  }));
}

const messageHead = (model: string) => ({ id: ID, type: "message", role: "assistant", model });

const NO_USAGE = {
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

/** Input here is what was not read from the cache. */
function usageOf({
  input_tokens,
  output_tokens,
  cached_input_tokens = 0,
  cache_write_tokens = 0,
}: TokenUsage): unknown {
  return {
    ...NO_USAGE,
    input_tokens: input_tokens - cached_input_tokens - cache_write_tokens,
    output_tokens,
    cache_read_input_tokens: cached_input_tokens,
    cache_creation_input_tokens: cache_write_tokens,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { unparsable_arguments: text };
  }
}

function typeOf(status: number): string {
  const types: Readonly<Record<number, string>> = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
    503: "overloaded_error",
    529: "overloaded_error",
  };
  return types[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
}

import type { FinishReason, Message, TokenUsage } from "../../ports/model.ts";
import { asText, assistant, contentText, isJson, type Json, listOf, resultOf, toolSpec } from "./decode.ts";
import {
  type Asked,
  type Dialect,
  type Encoder,
  EVENTS,
  dataFrame,
  garbageFrame,
  halves,
  wholeEncoder,
} from "./dialect.ts";

const REASONS = {
  stop: "stop",
  length: "length",
  filter: "content_filter",
  tool_calls: "tool_calls",
} as const;
const HEAD = { id: "chatcmpl-scripted", created: 1_767_225_600 };

/** OpenAI's chat completions, with `reasoning_content` as many servers of that API send it. */
export const openaiChat: Dialect = {
  decode(body) {
    const messages: Message[] = [];
    for (const item of listOf(body["messages"], "messages")) messages.push(messageOf(item, messages));
    const tools = Array.isArray(body["tools"]) ? listOf(body["tools"], "tools") : [];
    const options = body["stream_options"];
    return {
      request: {
        messages,
        tools: tools.map(({ function: it }) => {
          const { name, description, parameters } = isJson(it) ? it : {};
          return toolSpec(name, description, parameters);
        }),
      },
      model: asText(body["model"]),
      stream: body["stream"] === true,
      usage: isJson(options) && options["include_usage"] === true,
    };
  },
  encode: (asked) => (asked.stream ? streamed(asked) : whole(asked)),
  error: (status, message) => ({ error: { message, type: typeOf(status), param: null, code: null } }),
};

function messageOf(item: Json, before: readonly Message[]): Message {
  const text = contentText(item["content"]);
  switch (item["role"]) {
    case "system":
    case "developer":
      return { role: "system", text };
    case "assistant": {
      const calls = Array.isArray(item["tool_calls"]) ? listOf(item["tool_calls"], "tool_calls") : [];
      return assistant(
        text,
        calls.map(({ id, function: it }) => {
          const { name, arguments: args } = isJson(it) ? it : {};
          return { tool_call_id: asText(id), name: asText(name), arguments: asText(args) };
        }),
      );
    }
    case "tool":
      // This API has no word for a failed call; those that fail say so in their text.
      return resultOf(before, asText(item["tool_call_id"]), text, /^(error|denied|failed)\b/i.test(text));
    default:
      return { role: "user", text };
  }
}

function streamed({ model, usage: wanted }: Asked): Encoder {
  const head = `data: ${JSON.stringify({ ...HEAD, object: "chat.completion.chunk", model }).slice(0, -1)}`;
  const chunk = (delta: unknown, reason: string | null = null): string =>
    `${head},"choices":[{"index":0,"delta":${JSON.stringify(delta)},"finish_reason":${JSON.stringify(reason)}}]}\n\n`;
  /** One event a word, made of the parts that do not change. */
  const each = (words: readonly string[], field: string): string => {
    const open = `${head},"choices":[{"index":0,"delta":{"${field}":`;
    return words.map((word) => `${open}${JSON.stringify(word)}},"finish_reason":null}]}\n\n`).join("");
  };
  let calls = -1;
  return {
    contentType: EVENTS,
    stable: `chat ${model}`,
    start: () => chunk({ role: "assistant", content: "" }),
    text: (words) => each(words, "content"),
    thinking: (words) => each(words, "reasoning_content"),
    call(call, half) {
      const index = (calls += 1);
      const [first, second] = halves(call.arguments);
      const { tool_call_id: id, name } = call;
      return [
        chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
        chunk({ tool_calls: [{ index, function: { arguments: first } }] }),
        ...(half || second === ""
          ? []
          : [chunk({ tool_calls: [{ index, function: { arguments: second } }] })]),
      ].join("");
    },
    garbage: garbageFrame,
    fault: ({ message, status = 500 }) =>
      dataFrame({ error: { message, type: typeOf(status), code: status } }),
    end: (reason, usage) =>
      `${chunk({}, REASONS[reason])}${
        wanted ? `${head},"choices":[],"usage":${JSON.stringify(usageOf(usage))}}\n\n` : ""
      }data: [DONE]\n\n`,
  };
}

function whole({ model }: Asked): Encoder {
  return wholeEncoder(({ text, thinking, calls }, reason: FinishReason, usage) => ({
    ...HEAD,
    object: "chat.completion",
    model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: text === "" ? null : text,
          ...(thinking === "" ? {} : { reasoning_content: thinking }),
          ...(calls.length === 0
            ? {}
            : {
                tool_calls: calls.map(({ tool_call_id: id, name, arguments: args }) => ({
                  id,
                  type: "function",
                  function: { name, arguments: args },
                })),
              }),
        },
        finish_reason: REASONS[reason],
      },
    ],
    usage: usageOf(usage),
  }));
}

function usageOf({
  input_tokens,
  output_tokens,
  cached_input_tokens = 0,
  reasoning_tokens = 0,
}: TokenUsage): unknown {
  return {
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    total_tokens: input_tokens + output_tokens,
    prompt_tokens_details: { cached_tokens: cached_input_tokens },
    completion_tokens_details: { reasoning_tokens },
  };
}

/** OpenAI's word for a fault with this status. */
export function typeOf(status: number): string {
  if (status === 429) return "rate_limit_exceeded";
  if (status === 401 || status === 403) return "authentication_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

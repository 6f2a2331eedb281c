import type { FinishReason, Message, TokenUsage } from "../../ports/model.ts";
import { asText, assistant, contentText, isJson, type Json, listOf, toolSpec } from "./decode.ts";
import {
  type Asked,
  type Dialect,
  type Encoder,
  EVENTS,
  dataFrame,
  garbageFrame,
  wholeEncoder,
} from "./dialect.ts";

const REASONS = { stop: "STOP", length: "MAX_TOKENS", filter: "SAFETY", tool_calls: "STOP" } as const;
const SIGNATURE = "c2NyaXB0ZWQ=";

/** Google's generateContent. The model and whether it streams stand in the path. */
export const gemini: Dialect = {
  decode(body, path) {
    const messages: Message[] = [];
    const system = body["systemInstruction"];
    if (isJson(system)) messages.push({ role: "system", text: contentText(system["parts"]) });
    for (const item of listOf(body["contents"], "contents")) addContent(item, messages);
    const groups = Array.isArray(body["tools"]) ? listOf(body["tools"], "tools") : [];
    const tools = groups.flatMap(({ functionDeclarations: all }) =>
      Array.isArray(all) ? listOf(all, "functionDeclarations") : [],
    );
    const [, model = "", verb = ""] = /\/models\/([^/:]+):(\w+)/.exec(path) ?? [];
    return {
      request: {
        messages,
        tools: tools.map(({ name, description, parameters }) => toolSpec(name, description, parameters)),
      },
      model,
      stream: verb === "streamGenerateContent",
      usage: true,
    };
  },
  encode: (asked) => (asked.stream ? streamed(asked) : whole(asked)),
  error: (code, message) => ({
    error: { code, message, status: code === 429 ? "RESOURCE_EXHAUSTED" : "INTERNAL" },
  }),
};

/** Calls have no ids that come back: a result belongs to the call of its name. */
function addContent({ role, parts: given }: Json, messages: Message[]): void {
  const parts = Array.isArray(given) ? given.filter(isJson) : [];
  const shown = parts.filter(({ thought }) => thought !== true);
  if (role === "model") {
    const calls = parts.map(({ functionCall }) => functionCall).filter(isJson);
    messages.push(
      assistant(
        contentText(shown),
        calls.map(({ id, name, args }) => ({
          tool_call_id: asText(id) || asText(name),
          name: asText(name),
          arguments: JSON.stringify(args ?? {}),
        })),
      ),
    );
    return;
  }
  const results = parts.map(({ functionResponse }) => functionResponse).filter(isJson);
  for (const { id, name, response } of results) {
    const text = JSON.stringify(response ?? {});
    const failed = isJson(response) && "error" in response;
    messages.push({
      role: "tool",
      tool_call_id: asText(id) || asText(name),
      name: asText(name),
      text,
      failed,
    });
  }
  if (results.length === 0) messages.push({ role: "user", text: contentText(shown) });
}

function streamed({ model }: Asked): Encoder {
  const chunk = (parts: readonly unknown[], extra: object = {}, more: object = {}): string =>
    dataFrame({
      candidates: [{ index: 0, content: { role: "model", parts }, ...extra }],
      modelVersion: model,
      ...more,
    });
  return {
    contentType: EVENTS,
    stable: `gemini ${model}`,
    start: () => "",
    text: (words) => words.map((text) => chunk([{ text }])).join(""),
    thinking: (words) => words.map((text) => chunk([{ text, thought: true }])).join(""),
    call: (call, half) => (half ? "" : chunk([callPart(call)])),
    garbage: garbageFrame,
    fault: ({ message, status = 500 }) => dataFrame(gemini.error(status, message)),
    end: (reason, usage) =>
      chunk([{ text: "" }], { finishReason: REASONS[reason] }, { usageMetadata: usageOf(usage) }),
  };
}

function whole({ model }: Asked): Encoder {
  return wholeEncoder(({ text, thinking, calls }, reason: FinishReason, usage) => ({
    candidates: [
      {
        index: 0,
        content: {
          role: "model",
          parts: [
            ...(thinking === "" ? [] : [{ text: thinking, thought: true }]),
            ...(text === "" ? [] : [{ text }]),
            ...calls.map(callPart),
          ],
        },
        finishReason: REASONS[reason],
      },
    ],
    modelVersion: model,
    usageMetadata: usageOf(usage),
  }));
}

/** Arguments are an object here; what is none goes inside of one. */
function callPart({
  tool_call_id: id,
  name,
  arguments: text,
}: {
  tool_call_id: string;
  name: string;
  arguments: string;
}) {
  let args: unknown;
  try {
    args = JSON.parse(text);
  } catch {
    args = { unparsable_arguments: text };
  }
  return { functionCall: { id, name, args }, thoughtSignature: SIGNATURE };
}

function usageOf({
  input_tokens,
  output_tokens,
  cached_input_tokens = 0,
  reasoning_tokens = 0,
}: TokenUsage): unknown {
  return {
    promptTokenCount: input_tokens,
    cachedContentTokenCount: cached_input_tokens,
    candidatesTokenCount: output_tokens - reasoning_tokens,
    thoughtsTokenCount: reasoning_tokens,
    totalTokenCount: input_tokens + output_tokens,
  };
}

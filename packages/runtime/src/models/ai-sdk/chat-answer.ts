import { InvalidResponseDataError, type LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { createChatCalls } from "./chat-calls.ts";
import { type ChatEnd, noPart } from "./chat-end.ts";
import { isObject } from "./json.ts";

/** An answer of chat completions while it comes. */
export interface ChatAnswer {
  /** What is new in it. Throws what the server says went wrong, and where it says what is no part of an answer. */
  take(chunk: unknown): LanguageModelV4StreamPart[];
  /** What is said of it when it is over. Throws where it never came to its end. */
  end(): ChatEnd;
}

export function createChatAnswer(): ChatAnswer {
  const calls = createChatCalls();
  let refused = false;
  let finish_reason: unknown = null;
  let usage: unknown;

  return {
    take(chunk) {
      if (!isObject(chunk)) throw noPart(chunk);
      if (chunk["error"] != null) throw chunk["error"];
      const { choices } = chunk;
      if (!Array.isArray(choices)) throw noPart(chunk);
      usage = chunk["usage"] ?? usage;
      const parts: LanguageModelV4StreamPart[] = [];
      const choice: unknown = choices[0];
      if (!isObject(choice)) return parts;
      finish_reason = choice["finish_reason"] ?? finish_reason;
      const { delta } = choice;
      if (!isObject(delta)) return parts;
      addThought(parts, delta["reasoning_content"] ?? delta["reasoning"]);
      addContent(parts, delta["content"]);
      const { refusal, tool_calls } = delta;
      refused ||= isText(refusal);
      addText(parts, refusal);
      if (Array.isArray(tool_calls))
        for (const piece of tool_calls) if (!calls.take(piece)) throw noPart(piece);
      return parts;
    },
    end() {
      if (finish_reason === null)
        throw new InvalidResponseDataError({
          data: undefined,
          message: "The stream ended before the answer did.",
        });
      return { calls: calls.all(), refused, finish_reason, usage };
    },
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function addText(parts: LanguageModelV4StreamPart[], text: unknown): void {
  if (isText(text)) parts.push({ type: "text-delta", id: "content", delta: text });
}

function addThought(parts: LanguageModelV4StreamPart[], text: unknown): void {
  if (isText(text)) parts.push({ type: "reasoning-delta", id: "reasoning_content", delta: text });
}

/** Some servers send lists of parts, thoughts among them. */
function addContent(parts: LanguageModelV4StreamPart[], content: unknown): void {
  if (content == null || typeof content === "string") return addText(parts, content);
  if (!Array.isArray(content)) throw noPart(content);
  for (const part of content.filter(isObject)) {
    if (part["type"] === "text") addText(parts, part["text"]);
    const thoughts = part["type"] === "thinking" ? part["thinking"] : undefined;
    if (Array.isArray(thoughts)) for (const { text } of thoughts.filter(isObject)) addThought(parts, text);
  }
}

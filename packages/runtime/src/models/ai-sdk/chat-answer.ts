import { InvalidResponseDataError, type LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { createChatCalls } from "./chat-calls.ts";
import { type Json, isObject } from "./json.ts";

/** An answer of chat completions while it comes: what is new in it at once, and all of it as if it had come in one piece. */
export interface ChatAnswer {
  /** Throws what the server says went wrong, and where it says what is no part of an answer. */
  take(chunk: unknown): LanguageModelV4StreamPart[];
  /** Throws where it never came to its end. */
  whole(): Json;
}

export function createChatAnswer(): ChatAnswer {
  const texts = { content: "", reasoning_content: "", refusal: "" };
  const calls = createChatCalls();
  let finish_reason: unknown = null;
  let usage: unknown;

  function more(field: keyof typeof texts, text: unknown): LanguageModelV4StreamPart[] {
    if (typeof text !== "string" || text === "") return [];
    texts[field] += text;
    return field === "reasoning_content"
      ? [{ type: "reasoning-delta", id: field, delta: text }]
      : [{ type: "text-delta", id: "content", delta: text }];
  }

  /** Some servers send lists of parts, thoughts among them. */
  function contentOf(content: unknown): LanguageModelV4StreamPart[] {
    if (content == null || typeof content === "string") return more("content", content);
    if (!Array.isArray(content)) throw noPart(content);
    return content.filter(isObject).flatMap((part) => {
      if (part["type"] === "text") return more("content", part["text"]);
      const thoughts = part["type"] === "thinking" ? part["thinking"] : undefined;
      return Array.isArray(thoughts)
        ? thoughts.filter(isObject).flatMap(({ text }) => more("reasoning_content", text))
        : [];
    });
  }

  return {
    take(chunk) {
      if (!isObject(chunk)) throw noPart(chunk);
      if (chunk["error"] != null) throw chunk["error"];
      const { choices } = chunk;
      if (!Array.isArray(choices)) throw noPart(chunk);
      usage = chunk["usage"] ?? usage;
      const choice: unknown = choices[0];
      if (!isObject(choice)) return [];
      finish_reason = choice["finish_reason"] ?? finish_reason;
      const { delta } = choice;
      if (!isObject(delta)) return [];
      const parts = [
        ...more("reasoning_content", delta["reasoning_content"] ?? delta["reasoning"]),
        ...contentOf(delta["content"]),
        ...more("refusal", delta["refusal"]),
      ];
      if (Array.isArray(delta["tool_calls"]))
        for (const piece of delta["tool_calls"]) if (!calls.take(piece)) throw noPart(piece);
      return parts;
    },
    whole() {
      if (finish_reason === null)
        throw new InvalidResponseDataError({
          data: undefined,
          message: "The stream ended before the answer did.",
        });
      const { refusal, ...said } = texts;
      const message = { ...said, ...(refusal === "" ? {} : { refusal }), tool_calls: calls.all() };
      return { choices: [{ message, finish_reason }], usage };
    },
  };
}

function noPart(data: unknown): Error {
  return new InvalidResponseDataError({
    data: data ?? null,
    message: "The provider sent something that is no part of an answer.",
  });
}

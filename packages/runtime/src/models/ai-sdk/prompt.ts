import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { Message } from "../../ports/model.ts";
import { type Growing, createGrowing } from "./growing.ts";
import { assistantParts } from "./provider-data.ts";

/** By the model that it goes to. */
const known = new Map<string, Growing<Message, LanguageModelV4Prompt>>();

/**
 * Our conversation as the SDK takes it. `name`: the model it goes to, which alone gets back what it gave. What was made of a
 * conversation is made once, and is the same in what follows: nobody may change it.
 */
export function toPrompt(messages: readonly Message[], name: string): LanguageModelV4Prompt {
  const growing = known.get(name) ?? createGrowing();
  known.set(name, growing);
  const before = growing.find(messages);
  const whole = before !== undefined && !isWithinResults(messages, before.count);
  const prompt = whole ? before.made.slice() : [];
  for (let i = whole ? before.count : 0; i < messages.length; i++) {
    const message = messages[i] as Message;
    if (message.role === "tool") {
      const results = resultsFrom(messages, i);
      prompt.push({ role: "tool", content: results.map(toolResult) });
      i += results.length - 1;
    } else if (message.role === "assistant") {
      const content = assistantParts(message, name);
      // Providers refuse an answer with nothing in it.
      if (content.length > 0) prompt.push({ role: "assistant", content });
    } else if (message.role === "system") prompt.push(systemMessage(message.text, prompt.at(-1)));
    else prompt.push(userMessage(message.text));
  }
  growing.keep(messages, prompt, before);
  return prompt;
}

type Result = Extract<Message, { role: "tool" }>;
type ToolResult = Extract<LanguageModelV4Message, { role: "tool" }>["content"][number];

/** All results of one answer go back in one message. */
function resultsFrom(messages: readonly Message[], from: number): readonly Result[] {
  const results: Result[] = [];
  for (let i = from; ; i++) {
    const message = messages[i];
    if (message?.role !== "tool") return results;
    results.push(message);
  }
}

function isWithinResults(messages: readonly Message[], at: number): boolean {
  return messages[at - 1]?.role === "tool" && messages[at]?.role === "tool";
}

function toolResult({ tool_call_id: toolCallId, name: toolName, failed, text: value }: Result): ToolResult {
  return {
    type: "tool-result",
    toolCallId,
    toolName,
    output: { type: failed ? "error-text" : "text", value },
  };
}

/** Most providers take system text only at the beginning; what comes later is said in a way that all take. */
function systemMessage(text: string, before: LanguageModelV4Message | undefined): LanguageModelV4Message {
  if (before === undefined || before.role === "system") return { role: "system", content: text };
  return userMessage(`<system-note>\n${text}\n</system-note>`);
}

function userMessage(text: string): LanguageModelV4Message {
  return { role: "user", content: [{ type: "text", text }] };
}

/** The same prompt with options on the end of its system text and on its last message: where a cache may break off. */
export function withMarks(
  prompt: LanguageModelV4Prompt,
  mark: SharedV4ProviderOptions,
): LanguageModelV4Prompt {
  const system = prompt.findLastIndex(({ role }) => role === "system");
  return prompt.map((message, index) =>
    index === system || index === prompt.length - 1
      ? { ...message, providerOptions: { ...message.providerOptions, ...mark } }
      : message,
  );
}

import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { Message } from "../../ports/model.ts";
import { assistantParts } from "./provider-data.ts";

/**
 * What was made of a message last. Messages do not change, and each goes out again with every step of a conversation: what it
 * is made of is the same object then, so that others can keep what they make of it.
 */
const made = new WeakMap<Message, { readonly as: string; readonly message: LanguageModelV4Message }>();

/** Our conversation as the SDK takes it. `name`: the model it goes to, which alone gets back what it gave. Nobody may change it. */
export function toPrompt(messages: readonly Message[], name: string): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = [];
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i] as Message;
    if (message.role === "tool") {
      const results = resultsFrom(messages, i);
      prompt.push(toolMessage(results));
      i += results.length - 1;
      continue;
    }
    const as = message.role === "assistant" ? name : roleOf(message, prompt);
    let kept = made.get(message);
    if (kept?.as !== as) {
      kept = { as, message: plainMessage(message, as) };
      made.set(message, kept);
    }
    // Providers refuse an answer with nothing in it.
    if (kept.message.content.length > 0 || message.role !== "assistant") prompt.push(kept.message);
  }
  return prompt;
}

const SYSTEM = "system";
const NOTE = "note";

/** Most providers take system text only at the beginning; what comes later is said in a way that all take. */
function roleOf({ role }: Message, before: LanguageModelV4Prompt): string {
  if (role !== "system") return role;
  return (before.at(-1)?.role ?? "system") === "system" ? SYSTEM : NOTE;
}

function plainMessage(message: Exclude<Message, Result>, as: string): LanguageModelV4Message {
  if (message.role === "assistant") return { role: "assistant", content: assistantParts(message, as) };
  if (as === SYSTEM) return { role: "system", content: message.text };
  return userMessage(as === NOTE ? `<system-note>\n${message.text}\n</system-note>` : message.text);
}

function userMessage(text: string): LanguageModelV4Message {
  return { role: "user", content: [{ type: "text", text }] };
}

type Result = Extract<Message, { role: "tool" }>;

/** By the last of them. */
const madeOfResults = new WeakMap<
  Result,
  { readonly results: readonly Result[]; readonly message: LanguageModelV4Message }
>();

/** All results of one answer go back in one message. */
function toolMessage(results: readonly Result[]): LanguageModelV4Message {
  const last = results.at(-1) as Result;
  const before = madeOfResults.get(last);
  if (before?.results.length === results.length && results.every((one, i) => one === before.results[i]))
    return before.message;
  const message: LanguageModelV4Message = {
    role: "tool",
    content: results.map(({ tool_call_id: toolCallId, name: toolName, failed, text: value }) => ({
      type: "tool-result",
      toolCallId,
      toolName,
      output: { type: failed ? "error-text" : "text", value },
    })),
  };
  madeOfResults.set(last, { results, message });
  return message;
}

function resultsFrom(messages: readonly Message[], from: number): readonly Result[] {
  const results: Result[] = [];
  for (let i = from; ; i++) {
    const message = messages[i];
    if (message?.role !== "tool") return results;
    results.push(message);
  }
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

import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { Message } from "../../ports/model.ts";
import { assistantParts } from "./provider-data.ts";

/** Our conversation as the SDK takes it. `name`: the model it goes to, which alone gets back what it gave. */
export function toPrompt(messages: readonly Message[], name: string): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = [];
  for (const message of messages) {
    const before = prompt.at(-1);
    switch (message.role) {
      case "system":
        prompt.push(systemMessage(message.text, before));
        break;
      case "user":
        prompt.push(userMessage(message.text));
        break;
      case "assistant": {
        const content = assistantParts(message, name);
        // Providers refuse an answer with nothing in it.
        if (content.length > 0) prompt.push({ role: "assistant", content });
        break;
      }
      case "tool": {
        const output = { type: message.failed ? "error-text" : "text", value: message.text } as const;
        const { tool_call_id: toolCallId, name: toolName } = message;
        const result = { type: "tool-result", toolCallId, toolName, output } as const;
        // All results of one answer go back in one message.
        if (before?.role === "tool") before.content.push(result);
        else prompt.push({ role: "tool", content: [result] });
      }
    }
  }
  return prompt;
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

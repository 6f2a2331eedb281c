import type { OpenAICompatibleChatLanguageModel } from "@ai-sdk/openai-compatible";
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
} from "@ai-sdk/provider";
import { createGrowing } from "./growing.ts";

type Tool = NonNullable<LanguageModelV4CallOptions["tools"]>[number];

/** The messages of a conversation as they are written in a request, with commas between them. */
const texts = createGrowing<LanguageModelV4Message, string>();

/**
 * What a server of chat completions is sent. The SDK makes it of the conversation, but each message and each tool is
 * made and written once: they are the same in every request that follows.
 */
export async function chatRequest(
  model: OpenAICompatibleChatLanguageModel,
  { tools = [], prompt, ...options }: LanguageModelV4CallOptions,
): Promise<string> {
  const before = texts.find(prompt);
  const { body } = await model.prepareRequest({ ...options, prompt: prompt.slice(before?.count ?? 0) });
  const { messages, ...rest } = body as { readonly messages: readonly unknown[] };
  const more = messages.map((one) => JSON.stringify(one)).join(",");
  const text = before === undefined ? more : more === "" ? before.made : `${before.made},${more}`;
  texts.keep(prompt, text, before);
  const head = JSON.stringify({ ...rest, stream: true, stream_options: { include_usage: true } }).slice(
    0,
    -1,
  );
  const list = tools.length === 0 ? "" : `,"tools":[${tools.map(written).join(",")}]`;
  return `${head},"messages":[${text}]${list}}`;
}

const toolTexts = new WeakMap<LanguageModelV4FunctionTool, string>();

function written(tool: Tool): string {
  if (tool.type !== "function") throw new TypeError("A tool of the provider's own is never asked for.");
  const known = toolTexts.get(tool);
  if (known !== undefined) return known;
  const { name, description, inputSchema: parameters } = tool;
  const text = JSON.stringify({ type: "function", function: { name, description, parameters } });
  toolTexts.set(tool, text);
  return text;
}

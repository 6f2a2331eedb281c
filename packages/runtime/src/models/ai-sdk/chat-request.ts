import type { OpenAICompatibleChatLanguageModel } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from "@ai-sdk/provider";

type Tool = NonNullable<LanguageModelV4CallOptions["tools"]>[number];

/**
 * What a server of chat completions is sent. The SDK makes it of the conversation. Tools are left out of that: they are most
 * of a request, and the same in every one, so that each is written once.
 */
export async function chatRequest(
  model: OpenAICompatibleChatLanguageModel,
  { tools = [], ...options }: LanguageModelV4CallOptions,
): Promise<string> {
  const { body } = await model.prepareRequest(options);
  const text = JSON.stringify({ ...body, stream: true, stream_options: { include_usage: true } });
  return tools.length === 0 ? text : `${text.slice(0, -1)},"tools":[${tools.map(written).join(",")}]}`;
}

const texts = new WeakMap<LanguageModelV4FunctionTool, string>();

function written(tool: Tool): string {
  if (tool.type !== "function") throw new TypeError("A tool of the provider's own is never asked for.");
  const known = texts.get(tool);
  if (known !== undefined) return known;
  const { name, description, inputSchema: parameters } = tool;
  const text = JSON.stringify({ type: "function", function: { name, description, parameters } });
  texts.set(tool, text);
  return text;
}

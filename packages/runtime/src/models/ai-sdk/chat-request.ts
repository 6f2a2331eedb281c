import type { OpenAICompatibleChatLanguageModel } from "@ai-sdk/openai-compatible";
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from "@ai-sdk/provider";

type Tool = NonNullable<LanguageModelV4CallOptions["tools"]>[number];

/**
 * What a server of chat completions is sent. The SDK makes it of the conversation, but each message and each tool is
 * made and written once: they are the same in every request that follows.
 */
export async function chatRequest(
  model: OpenAICompatibleChatLanguageModel,
  { tools = [], prompt, ...options }: LanguageModelV4CallOptions,
): Promise<string> {
  const fresh = prompt.filter((one) => !said.has(one));
  const { body } = await model.prepareRequest({ ...options, prompt: fresh });
  const { messages, ...rest } = body as { readonly messages: readonly unknown[] };
  remember(fresh, messages);
  const head = JSON.stringify({ ...rest, stream: true, stream_options: { include_usage: true } }).slice(
    0,
    -1,
  );
  const list = tools.length === 0 ? "" : `,"tools":[${tools.map(written).join(",")}]`;
  return `${head},"messages":[${prompt.map((one) => said.get(one)).join(",")}]${list}}`;
}

/** Each message as it is written in a request, with commas where it is several: results are one each there. */
const said = new WeakMap<LanguageModelV4Message, string>();

/** `messages`: what was made of those that are new. */
function remember(fresh: LanguageModelV4Prompt, messages: readonly unknown[]): void {
  const counts = fresh.map((one) => (one.role === "tool" ? one.content.length : 1));
  if (counts.reduce((sum, count) => sum + count, 0) !== messages.length)
    throw new TypeError("The SDK makes other messages of a conversation than it did.");
  let at = 0;
  for (const [i, message] of fresh.entries()) {
    const own = messages.slice(at, (at += counts[i] ?? 0));
    said.set(message, own.map((one) => JSON.stringify(one)).join(","));
  }
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

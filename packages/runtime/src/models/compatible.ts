import type { Model } from "../ports/model.ts";
import { chatStream } from "./ai-sdk/chat-stream.ts";
import { aiSdkModel } from "./ai-sdk/model.ts";
import type { ProviderOptions } from "./ai-sdk/options.ts";

/** Whatever speaks OpenAI's chat completions: Ollama, vLLM, LM Studio, and many that are hosted. */
export function compatibleModel(options: ProviderOptions & { readonly baseUrl: string }): Model {
  const { apiKey, baseUrl, headers } = options;
  const url = `${baseUrl.replace(/\/+$/, "")}/chat/completions`;
  const endpoint = {
    url: new URL(url),
    headers: { ...(apiKey && { authorization: `Bearer ${apiKey}` }), ...headers },
  };
  return aiSdkModel("compatible", options, {
    async load() {
      const { OpenAICompatibleChatLanguageModel } = await import("@ai-sdk/openai-compatible");
      const model = new OpenAICompatibleChatLanguageModel(options.id, {
        provider: "compatible.chat",
        url: () => url,
        headers: () => ({}),
      });
      return (call) => chatStream({ model, ...endpoint }, call);
    },
  });
}

import type { Model } from "../ports/model.ts";
import { aiSdkModel } from "./ai-sdk/model.ts";
import type { ProviderOptions } from "./ai-sdk/options.ts";

/** Whatever speaks OpenAI's chat completions: Ollama, vLLM, LM Studio, and many that are hosted. */
export function compatibleModel(options: ProviderOptions & { readonly baseUrl: string }): Model {
  const { apiKey, baseUrl, headers } = options;
  const url = `${baseUrl.replace(/\/+$/, "")}/chat/completions`;
  const to = new URL(url);
  return aiSdkModel("compatible", options, {
    async load() {
      const [{ OpenAICompatibleChatLanguageModel }, { chatStream }, { headersTo }] = await Promise.all([
        import("@ai-sdk/openai-compatible"),
        import("./ai-sdk/chat-stream.ts"),
        import("./ai-sdk/send.ts"),
      ]);
      const model = new OpenAICompatibleChatLanguageModel(options.id, {
        provider: "compatible.chat",
        url: () => url,
        headers: () => ({}),
      });
      const said = headersTo(to, { ...(apiKey && { authorization: `Bearer ${apiKey}` }), ...headers });
      return (call) => chatStream({ model, url: to, headers: said }, call);
    },
  });
}

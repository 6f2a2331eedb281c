import type { Model } from "../ports/model.ts";
import { mergingFetch } from "./ai-sdk/merging-fetch.ts";
import { mergeChat } from "./ai-sdk/merges.ts";
import { aiSdkModel } from "./ai-sdk/model.ts";
import type { ProviderOptions } from "./ai-sdk/options.ts";

/** Whatever speaks OpenAI's chat completions: Ollama, vLLM, LM Studio, and many that are hosted. */
export function compatibleModel(options: ProviderOptions & { readonly baseUrl: string }): Model {
  return aiSdkModel("compatible", options, {
    async load() {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const { apiKey, baseUrl: baseURL, headers } = options;
      const provider = createOpenAICompatible({
        name: "compatible",
        baseURL,
        fetch: mergingFetch(mergeChat),
        includeUsage: true,
        ...(apiKey && { apiKey }),
        ...(headers && { headers }),
      });
      return provider.chatModel(options.id);
    },
  });
}

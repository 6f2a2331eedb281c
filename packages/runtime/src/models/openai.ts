import type { Model } from "../ports/model.ts";
import { mergingFetch } from "./ai-sdk/merging-fetch.ts";
import { mergeResponses } from "./ai-sdk/merges.ts";
import { aiSdkModel, streamOf } from "./ai-sdk/model.ts";
import type { ProviderOptions } from "./ai-sdk/options.ts";

/** Always given: the SDK would look into the environment for another one. */
const HOME = "https://api.openai.com/v1";

/** OpenAI, over the Responses API. Nothing is kept there: reasoning comes back to us encrypted and goes along again. */
export function openaiModel(options: ProviderOptions): Model {
  return aiSdkModel("openai", options, {
    async load() {
      const { createOpenAI } = await import("@ai-sdk/openai");
      const { apiKey = "", baseUrl: baseURL = HOME, headers } = options;
      return streamOf(
        createOpenAI({
          apiKey,
          fetch: mergingFetch(mergeResponses),
          baseURL,
          ...(headers && { headers }),
        }).responses(options.id),
      );
    },
    providerOptions: () => ({ openai: { store: false } }),
  });
}

import type { Model } from "../ports/model.ts";
import { holdingFetch, mostHeader } from "./ai-sdk/held-thinking.ts";
import { mergingFetch } from "./ai-sdk/merging-fetch.ts";
import { mergeMessages } from "./ai-sdk/merges.ts";
import { aiSdkModel, streamOf } from "./ai-sdk/model.ts";
import type { ProviderOptions } from "./ai-sdk/options.ts";
import { withMarks } from "./ai-sdk/prompt.ts";

/** Always given: the SDK would look into the environment for another one. */
const HOME = "https://api.anthropic.com/v1";

/** Anthropic, over the Messages API. What a conversation has in common with its next request is cached there. */
export function anthropicModel(options: ProviderOptions): Model {
  return aiSdkModel("anthropic", options, {
    async load() {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      const { apiKey = "", baseUrl: baseURL = HOME, headers } = options;
      return streamOf(
        createAnthropic({
          apiKey,
          fetch: holdingFetch(mergingFetch(mergeMessages)),
          baseURL,
          ...(headers && { headers }),
        })(options.id),
      );
    },
    // Streamed without a check by the provider they may be no JSON, and we wait for whole calls anyway.
    providerOptions: () => ({ anthropic: { toolStreaming: false } }),
    headers: ({ max_output_tokens }) => mostHeader(max_output_tokens),
    prompt: (prompt) => withMarks(prompt, { anthropic: { cacheControl: { type: "ephemeral" } } }),
  });
}

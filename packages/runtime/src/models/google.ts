import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { Model } from "../ports/model.ts";
import { mergingFetch } from "./ai-sdk/merging-fetch.ts";
import { mergeGemini } from "./ai-sdk/merges.ts";
import { aiSdkModel, streamOf } from "./ai-sdk/model.ts";
import type { ProviderOptions } from "./ai-sdk/options.ts";

/** Always given: the SDK would look into the environment for another one. */
const HOME = "https://generativelanguage.googleapis.com/v1beta";

/** Google, over the Gemini API. */
export function googleModel(options: ProviderOptions): Model {
  return aiSdkModel("google", options, {
    async load() {
      const { createGoogle } = await import("@ai-sdk/google");
      const { apiKey = "", baseUrl: baseURL = HOME, headers } = options;
      return streamOf(
        createGoogle({
          apiKey,
          fetch: mergingFetch(mergeGemini),
          baseURL,
          ...(headers && { headers }),
        })(options.id),
      );
    },
    // Without this it thinks, but does not show it.
    providerOptions({ think_level }): SharedV4ProviderOptions {
      if (think_level === undefined || think_level === "off") return {};
      return { google: { thinkingConfig: { includeThoughts: true } } };
    },
  });
}

import type { Model, Price } from "../ports/model.ts";
import type { ProviderOptions } from "./ai-sdk/options.ts";
import { anthropicModel } from "./anthropic.ts";
import { compatibleModel } from "./compatible.ts";
import { googleModel } from "./google.ts";
import { openaiModel } from "./openai.ts";
import { factsOf } from "./prices.ts";
import { parseScript } from "./script.ts";
import { scriptedModel } from "./scripted.ts";

/** One model, with all that is needed to speak to it. */
export interface ModelSetting extends ProviderOptions {
  readonly provider: "openai" | "anthropic" | "google" | "compatible" | "scripted";
  /** For the scripted one; without it, the demo. */
  readonly script?: { readonly path: string; readonly text: string } | undefined;
}

/** Nobody is paid for what comes along. */
const FREE: Price = { input: 0, output: 0 };

/** Loads no provider yet. `self`: how our own commands are called. Throws bad_request for a bad script. */
export function openModel(setting: ModelSetting, self?: string): Model {
  const { provider, script, ...given } = setting;
  const facts = factsOf(provider, setting.id);
  const options = {
    ...given,
    price: setting.price ?? facts?.price,
    contextTokens: setting.contextTokens ?? facts?.contextTokens,
  };
  switch (provider) {
    case "openai":
      return openaiModel(options);
    case "anthropic":
      return anthropicModel(options);
    case "google":
      return googleModel(options);
    case "compatible": {
      const { baseUrl } = setting;
      if (baseUrl === undefined) throw new TypeError("a compatible model needs a base URL");
      return compatibleModel({ ...options, baseUrl });
    }
    case "scripted":
      return scriptedModel({
        id: setting.id,
        price: setting.price ?? FREE,
        ...(self === undefined ? {} : { self }),
        ...(script === undefined ? {} : { script: parseScript(script.text, script.path) }),
      });
  }
}

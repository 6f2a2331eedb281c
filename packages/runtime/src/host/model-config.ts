import { z } from "zod";

export const PROVIDERS = ["openai", "anthropic", "google", "compatible", "scripted"] as const;
export type Provider = (typeof PROVIDERS)[number];

const dollars = z.number().min(0).max(100_000);
const variable = z
  .string()
  .regex(/^[A-Za-z_]\w*$/, "The name of an environment variable, not the secret itself.");

const ModelEntry = z
  .strictObject({
    /** How sessions name it; `PROVIDER/MODEL` works too. */
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, "A name has small letters, digits, dots, dashes and underscores.")
      .optional(),
    provider: z.enum(PROVIDERS),
    /** The provider's own name of it. */
    model: z.string().min(1).max(200).optional(),
    base_url: z.url({ protocol: /^https?$/, error: "Must be an http or https URL." }).optional(),
    /** The variable that holds the key, where it is not the provider's usual one. */
    api_key_env: variable.optional(),
    /** Headers to send along, each with the variable that holds its value. */
    headers_env: z.record(z.string().regex(/^[A-Za-z0-9-]+$/), variable).optional(),
    /** Dollars for a million tokens. Goes before the table that comes along. */
    price: z
      .strictObject({
        input: dollars,
        output: dollars,
        cached_input: dollars.optional(),
        cache_write: dollars.optional(),
      })
      .optional(),
    context_tokens: z.int().min(1).optional(),
    /** For the scripted model: a JSON file. */
    script: z.string().min(1).optional(),
  })
  .refine(({ provider, base_url }) => provider !== "compatible" || base_url !== undefined, {
    path: ["base_url"],
    message: "A compatible model needs the URL it is at, such as http://127.0.0.1:11434/v1.",
  })
  .refine(({ provider, model }) => provider === "scripted" || model !== undefined, {
    path: ["model"],
    message: "Say which model, by the provider's own name of it.",
  })
  .refine(({ provider, script }) => provider === "scripted" || script === undefined, {
    path: ["script"],
    message: "Only the scripted model has a script.",
  });
export type ModelEntry = z.infer<typeof ModelEntry>;

/** What the configuration says of models. To be joined into the whole of it. */
export const MODEL_FIELDS = {
  models: z.array(ModelEntry).max(100).default([]),
  /** The one a session gets when it names none; the first unless given. */
  default_model: z.string().min(1).optional(),
  /** Those that stand in when it fails, in order. */
  fallback_models: z.array(z.string().min(1)).max(20).default([]),
};

const ModelsConfig = z.object(MODEL_FIELDS);
export type ModelsConfig = z.infer<typeof ModelsConfig>;

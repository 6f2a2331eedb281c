import { readFileSync } from "node:fs";
import type { Price } from "../ports/model.ts";
import { ConfigError } from "./config-error.ts";
import { type ModelEntry, type ModelsConfig, type Provider, PROVIDERS } from "./model-config.ts";
import { KEY_FILE, type Secrets } from "./model-keys.ts";
import { readScriptFile } from "./script-file.ts";

/** A model as it is to be opened: with its secrets, so never to be logged. */
export interface ModelSetting {
  readonly name: string;
  readonly provider: Provider;
  readonly id: string;
  readonly apiKey: string | undefined;
  readonly baseUrl: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly price: Price | undefined;
  readonly contextTokens: number | undefined;
  readonly script: { readonly path: string; readonly text: string } | undefined;
}

export interface ModelSettings {
  /** The main one first. */
  readonly models: readonly ModelSetting[];
  /** Names of those that stand in for it. */
  readonly fallback: readonly string[];
}

/** Where the keys of a provider usually are, and what to take from it when only its key is there. */
const KNOWN: readonly {
  readonly provider: Provider;
  readonly keys: readonly string[];
  readonly model: string;
}[] = [
  { provider: "anthropic", keys: ["ANTHROPIC_API_KEY"], model: "claude-sonnet-5-5" },
  { provider: "openai", keys: ["OPENAI_API_KEY"], model: "gpt-6.1-sol" },
  { provider: "google", keys: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"], model: "gemini-3.8-flash" },
];

export interface SettingsOptions {
  readonly config: ModelsConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly secrets: Secrets;
}

/**
 * Which models there are. A script that the environment names comes first of all, then what is configured, then the
 * usual model of each provider whose key is there, and where nothing is, the scripted one. Throws ConfigError.
 */
export function modelSettings({ config, env, secrets }: SettingsOptions): ModelSettings {
  const script = readScriptFile(env);
  if (script !== undefined)
    return { models: [setting({ provider: "scripted" }, secrets, script)], fallback: [] };
  const models = entriesOf(config, secrets).map((entry) => setting(entry, secrets));
  for (const { name } of models)
    if (models.filter((model) => model.name === name).length > 1)
      throw new ConfigError(`There are two models ${name}.`, "Give each a `name` of its own.");
  const find = (name: string): ModelSetting => {
    const known = models.find((model) => model.name === name || fullName(model) === name);
    if (known !== undefined) return known;
    const made = setting(entryOf(name, models), secrets);
    models.push(made);
    return made;
  };
  const wanted = env["FAIRLEAD_MODEL"] || config.default_model;
  const main = wanted === undefined ? models[0] : find(wanted);
  const fallback = config.fallback_models.map((name) => find(name).name);
  if (main === undefined) return { models: [setting({ provider: "scripted" }, secrets)], fallback: [] };
  return { models: [main, ...models.filter((model) => model !== main)], fallback };
}

function entriesOf({ models }: ModelsConfig, secrets: Secrets): readonly ModelEntry[] {
  if (models.length > 0) return models;
  return KNOWN.filter(({ keys }) => keys.some((key) => secrets(key) !== undefined)).map(
    ({ provider, model }) => ({
      provider,
      model,
    }),
  );
}

/** `PROVIDER/MODEL` of a provider that needs nothing but its key. */
function entryOf(name: string, known: readonly ModelSetting[]): ModelEntry {
  if (name === "scripted") return { provider: "scripted" };
  const slash = name.indexOf("/");
  const [prefix, model] = [name.slice(0, slash), name.slice(slash + 1)];
  const provider = PROVIDERS.find((one) => one === prefix);
  if (provider !== undefined && provider !== "compatible" && model !== "") return { provider, model };
  const names = known.map((one) => one.name).join(", ");
  throw new ConfigError(
    `There is no model ${name}.`,
    `Name one that is configured${names === "" ? "" : ` (${names})`}, or write PROVIDER/MODEL, such as anthropic/claude-sonnet-5-5.`,
  );
}

function setting(entry: ModelEntry, secrets: Secrets, script = scriptOf(entry)): ModelSetting {
  const { provider, model: id = "scripted" } = entry;
  return {
    name: entry.name ?? (entry.model === undefined ? provider : `${provider}/${id}`),
    provider,
    id,
    apiKey: keyOf(entry, secrets),
    baseUrl: entry.base_url ?? baseUrlOf(provider, secrets),
    headers: headersOf(entry, secrets),
    price: priceOf(entry),
    contextTokens: entry.context_tokens,
    script,
  };
}

const fullName = ({ provider, id }: ModelSetting): string => `${provider}/${id}`;

function keyOf({ provider, api_key_env, model }: ModelEntry, secrets: Secrets): string | undefined {
  const usual = KNOWN.find((one) => one.provider === provider)?.keys ?? [];
  const names = api_key_env === undefined ? usual : [api_key_env];
  const key = names.map(secrets).find((found) => found !== undefined);
  if (key !== undefined || names.length === 0) return key;
  throw missing(`The model ${provider}/${model} has no key: ${names.join(" or ")} is not set.`);
}

/** As the providers' own clients take it from the environment. Anthropic's adds the version by itself. */
function baseUrlOf(provider: Provider, secrets: Secrets): string | undefined {
  if (provider === "openai") return secrets("OPENAI_BASE_URL");
  if (provider !== "anthropic") return undefined;
  return secrets("ANTHROPIC_BASE_URL")?.replace(/\/?(v1\/?)?$/, "/v1");
}

function headersOf(
  { headers_env }: ModelEntry,
  secrets: Secrets,
): Readonly<Record<string, string>> | undefined {
  if (headers_env === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(headers_env).map(([header, name]) => {
      const value = secrets(name);
      if (value === undefined) throw missing(`The header ${header} has no value: ${name} is not set.`);
      return [header, value];
    }),
  );
}

function missing(message: string): ConfigError {
  return new ConfigError(
    message,
    `Set it in the environment, or in the file ${KEY_FILE} in the config directory (mode 600).`,
  );
}

function priceOf({ price }: ModelEntry): Price | undefined {
  if (price === undefined) return undefined;
  const { input, output, cached_input, cache_write } = price;
  return {
    input,
    output,
    ...(cached_input === undefined ? {} : { cached_input }),
    ...(cache_write === undefined ? {} : { cache_write }),
  };
}

function scriptOf({ script }: ModelEntry): ModelSetting["script"] {
  if (script === undefined) return undefined;
  try {
    return { path: script, text: readFileSync(script, "utf8") };
  } catch (cause) {
    throw new ConfigError(
      `${script}: ${(cause as Error).message}`,
      "Name a JSON file that this user can read.",
      { cause },
    );
  }
}

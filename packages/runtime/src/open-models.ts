import type { ModelsConfig } from "./host/model-config.ts";
import { modelSecrets } from "./host/model-keys.ts";
import { type ModelSettings, modelSettings } from "./host/model-settings.ts";
import { openModel } from "./models/open.ts";
import type { Model } from "./ports/model.ts";

export interface OpenModelsOptions {
  /** Without one, what the environment and the key file offer. */
  readonly config?: ModelsConfig | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The directory for keys, from `hostPaths`; asked only when the environment lacks something. */
  readonly keys?: (() => string) | undefined;
  /** How our own commands are called, for the scripted model that names them. */
  readonly self?: string | undefined;
}

export interface OpenedModels {
  /** The first is the one a session gets when it names none. */
  readonly models: readonly Model[];
  /** Names of those that stand in for it, in order. */
  readonly fallbacks: readonly string[];
  /** What people call a model, where that is not `PROVIDER/ID`. */
  readonly names: ReadonlyMap<string, Model>;
  /** The keys in use: to be redacted wherever they turn up, and shown nowhere. */
  readonly secrets: readonly string[];
}

/** By the name it was given, if that says more than its provider and id. The scripted one needs no key. */
function called({ name, provider, apiKey }: ModelSettings["models"][number], model: Model): Model {
  return {
    ...model,
    ...(name === `${model.provider}/${model.id}` || name === model.id ? {} : { name }),
    ...(provider === "scripted" ? {} : { hasKey: apiKey !== undefined }),
  };
}

const NO_CONFIG: ModelsConfig = { models: [], fallback_models: [] };

/** The models of this installation. Loads no provider and asks none. Throws ConfigError when a key is missing. */
export function openModels({ config = NO_CONFIG, env, keys, self }: OpenModelsOptions): OpenedModels {
  const settings = modelSettings({ config, env, secrets: modelSecrets({ env, config: keys }) });
  const named = settings.models.map((setting) => {
    const { name, ...given } = setting;
    return { name, model: called(setting, openModel(given, self)) };
  });
  const names = new Map(named.map(({ name, model }) => [name, model]));
  return {
    models: named.map(({ model }) => model),
    fallbacks: settings.fallback.flatMap((name) => {
      const model = names.get(name);
      return model === undefined ? [] : (model.name ?? `${model.provider}/${model.id}`);
    }),
    names,
    secrets: settings.models.flatMap(({ apiKey, headers = {} }) => [
      ...(apiKey === undefined ? [] : [apiKey]),
      ...Object.values(headers),
    ]),
  };
}

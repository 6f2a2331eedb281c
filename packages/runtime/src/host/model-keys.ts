import { join } from "node:path";
import { ConfigError } from "./config-error.ts";
import { readPrivate } from "./private-file.ts";

export const KEY_FILE = "model-keys";

/** Looks a secret up by its name. Undefined and empty are the same: not there. */
export type Secrets = (name: string) => string | undefined;

export interface SecretsOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The directory for keys, from `hostPaths`. Asked only for what the environment does not have. */
  readonly config?: (() => string) | undefined;
}

/** From the environment, else from the file `model-keys` in the directory for keys. Throws ConfigError. */
export function modelSecrets({ env, config }: SecretsOptions): Secrets {
  let file: ReadonlyMap<string, string> | undefined;
  return (name) => {
    const given = env[name]?.trim();
    if (given) return given;
    if (config === undefined) return undefined;
    file ??= readKeyFile(join(config(), KEY_FILE));
    return file.get(name);
  };
}

/** Lines of `NAME=value`. Says where it is wrong, never what stands there. */
function readKeyFile(path: string): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const [index, line] of (readPrivate(path) ?? "").split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const [, name, value = ""] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined)
      throw new ConfigError(
        `${path}:${index + 1} is not NAME=value.`,
        "Write one key a line, such as OPENAI_API_KEY=…",
      );
    const bare = /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
    if (bare !== "") keys.set(name, bare);
  }
  return keys;
}

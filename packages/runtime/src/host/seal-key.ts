import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { ConfigError } from "./config-error.ts";
import { createPrivate, privateDirectory, readPrivate } from "./private-file.ts";

const KEY_BYTES = 32;

export interface SealKeyOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The directory for keys, from `hostPaths`: outside the data directory. Asked only when the environment has no key. */
  readonly config: () => string;
}

/** The key that sealed data is encrypted with: from the environment, else from its file, which is made on first use. */
export function loadSealKey({ env, config: configOf }: SealKeyOptions): Buffer {
  const given = env["FAIRLEAD_SEAL_KEY"];
  if (given !== undefined && given !== "") return parseKey(given, "FAIRLEAD_SEAL_KEY");
  const config = configOf();
  const path = join(config, "seal.key");
  privateDirectory(config);
  const kept = readPrivate(path);
  if (kept !== undefined) return parseKey(kept, path);
  createPrivate(path, `${randomBytes(KEY_BYTES).toString("base64")}\n`);
  // Read back, because another process may have made it first.
  return parseKey(readPrivate(path) ?? "", path);
}

function parseKey(text: string, where: string): Buffer {
  const trimmed = text.trim();
  const hex = /^[0-9a-f]{64}$/i.test(trimmed);
  const base64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed);
  if (hex || base64) return Buffer.from(trimmed, hex ? "hex" : "base64");
  throw new ConfigError(
    `${where} does not hold a key of ${KEY_BYTES} bytes in base64 or hex.`,
    "Put back the key that the data was sealed with. To make a new one: openssl rand -base64 32",
  );
}

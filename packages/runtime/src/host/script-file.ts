import { readFileSync } from "node:fs";
import { ConfigError } from "./config-error.ts";

/** The text of the file that `FAIRLEAD_SCRIPT` names; undefined when it names none. */
export function readScriptFile(
  env: Readonly<Record<string, string | undefined>>,
): { readonly path: string; readonly text: string } | undefined {
  const path = env["FAIRLEAD_SCRIPT"];
  if (path === undefined || path === "") return undefined;
  try {
    return { path, text: readFileSync(path, "utf8") };
  } catch (cause) {
    throw new ConfigError(
      `FAIRLEAD_SCRIPT: ${(cause as Error).message}`,
      "Name a JSON file that this user can read, or unset it.",
      { cause },
    );
  }
}

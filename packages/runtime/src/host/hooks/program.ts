import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/** Where the program of a command is, links resolved: a name is looked for along PATH, a path from the configuration. */
export function programOf(word: string, base: string, path: string | undefined): string | undefined {
  const candidates = word.includes("/") ? [resolve(base, word)] : alongPath(word, path ?? "");
  const found = candidates.find(isProgram);
  return found === undefined ? undefined : realpathSync(found);
}

/** Relative entries would lead into whatever directory we are in. */
function alongPath(word: string, path: string): readonly string[] {
  return path
    .split(delimiter)
    .filter(isAbsolute)
    .map((directory) => join(directory, word));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

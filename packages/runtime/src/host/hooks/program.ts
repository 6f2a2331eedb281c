import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/** A program that was found. */
export interface Program {
  /** Links resolved: this is run, whatever a link leads to by then. */
  readonly file: string;
  /** As it was found: it may go by its name, or by what lies around that. */
  readonly calledAs: string;
}

/** A name is looked for along PATH, a path from the configuration. */
export function programOf(word: string, base: string, path: string | undefined): Program | undefined {
  const candidates = word.includes("/") ? [resolve(base, word)] : alongPath(word, path ?? "");
  const calledAs = candidates.find(isProgram);
  return calledAs === undefined ? undefined : { file: realpathSync(calledAs), calledAs };
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

import { resolve } from "node:path";
import type { HookDefinition } from "../../ports/hook.ts";
import { liesIn } from "../contained.ts";
import { real } from "../paths.ts";
import { type HeldFile, heldFile } from "./files.ts";
import { type Program, programOf } from "./program.ts";

export interface HookPlaces {
  /** What paths in the configuration are relative to. */
  readonly base: string;
  /** The project. */
  readonly workspace: string;
  /** Where it will run: the project, or a workspace of a session's own. */
  readonly cwd: string;
  /** Where programs are looked for. */
  readonly path: string | undefined;
}

/** One word of what is run: as it is, or a file whose copy takes its place. */
export type Word = { readonly text: string } | { readonly file: number };

/** What a hook runs, read. */
export interface Material {
  /** Where nothing but its place is bound. */
  readonly program?: Program;
  readonly files: readonly HeldFile[];
  readonly words: readonly Word[];
}

/** Throws a sentence that says what is missing. */
export function materialOf({ command, module }: HookDefinition, places: HookPlaces): Material {
  if (module !== undefined) return moduleMaterial(module, places);
  if (command === undefined) throw new Error("It has neither a command nor a module.");
  const [word, ...args] = command;
  const program = programOf(word, places.base, places.path);
  if (program === undefined) throw new Error(`There is no program ${word}.`);
  const files: HeldFile[] = [];
  const words: Word[] = [];
  const hold = (file: HeldFile) => void words.push({ file: files.push(file) - 1 });
  const ours = [places.workspace, places.base, places.cwd].some((root) => liesIn(real(root), program.file));
  // What lies where agents work is bound by its bytes; what the machine brings along, by its place.
  const own = ours ? heldFile(program.file, word) : undefined;
  if (ours && own === undefined) throw new Error(`${word} is no plain file.`);
  if (own === undefined) words.push({ text: program.file });
  else hold(own);
  for (const text of args) {
    const file = argumentFile(text, places);
    if (file === undefined) words.push({ text });
    else hold(file);
  }
  return { ...(own === undefined ? { program } : {}), files, words };
}

function moduleMaterial(module: string, { base }: HookPlaces): Material {
  const file = heldFile(resolve(base, module), module);
  if (file === undefined) throw new Error(`There is no file ${module}.`);
  return { files: [file], words: [{ file: 0 }] };
}

/**
 * An argument that names a file is one that is run, or steers what is run. Also one that is there only where it will
 * run: it is part of the hash, so that nobody has trusted it.
 */
function argumentFile(text: string, { base, workspace, cwd }: HookPlaces): HeldFile | undefined {
  if (text === "") return undefined;
  for (const from of new Set([base, workspace, cwd])) {
    const file = heldFile(resolve(from, text), text);
    if (file !== undefined) return file;
  }
  return undefined;
}

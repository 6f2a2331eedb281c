import type { HookDefinition, LoadedHook } from "../../ports/hook.ts";
import { hashJson } from "../canonical.ts";

/** Another way of hashing is another hash for everything: nothing stays trusted. */
const FORM = "fairlead hook 1";

/**
 * What a person trusts: the definition, the place of a program that is not ours, and the bytes of all files. Which
 * files there are is part of it: one that appears or goes changes the hash.
 */
export function hookHash(
  definition: HookDefinition,
  { program, files }: Pick<LoadedHook, "program" | "files">,
): string {
  const { name, on, tools, command, module, blocking, timeout_ms } = definition;
  return hashJson({
    form: FORM,
    definition: { name, on, tools, command, module, blocking, timeout_ms },
    program,
    files: files.map(({ path, sha256 }) => ({ path, sha256 })),
  });
}

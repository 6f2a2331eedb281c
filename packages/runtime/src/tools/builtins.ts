import type { ToolSource } from "../ports/tool.ts";
import type { WorkspaceFiles } from "../ports/workspace-files.ts";
import { editFile } from "./edit-file.ts";
import { readFile } from "./read-file.ts";
import { shell, type ShellDeps } from "./shell.ts";
import { writeFile } from "./write-file.ts";

export interface BuiltinDeps {
  readonly files: WorkspaceFiles;
  readonly shell: ShellDeps;
}

/** The tools that are always there. */
export function builtinTools({ files, shell: shellDeps }: BuiltinDeps): ToolSource {
  const tools = [readFile(files), writeFile(files), editFile(files), shell(shellDeps)];
  return { name: "builtin", tools: () => tools, close: async () => {} };
}

import type { Clock } from "../ports/clock.ts";
import type { Retriever } from "../ports/retrieval.ts";
import type { ToolSource } from "../ports/tool.ts";
import type { Web } from "../ports/web.ts";
import type { WorkspaceFiles } from "../ports/workspace-files.ts";
import { delegate } from "./delegate.ts";
import { editFile } from "./edit-file.ts";
import { listFiles } from "./list-files.ts";
import { localSearch } from "./local-search.ts";
import { readFile } from "./read-file.ts";
import { retrieve } from "./retrieve.ts";
import { shell, type ShellDeps } from "./shell.ts";
import { updateTasks } from "./update-tasks.ts";
import { webFetch } from "./web-fetch.ts";
import { writeFile } from "./write-file.ts";

export interface BuiltinDeps {
  readonly files: WorkspaceFiles;
  readonly retriever: Retriever;
  readonly shell: ShellDeps;
  readonly web: Web;
  readonly clock: Clock;
}

/** The tools that are always there. */
export function builtinTools({ files, retriever, shell: shellDeps, web, clock }: BuiltinDeps): ToolSource {
  const tools = [
    readFile(files),
    writeFile(files),
    editFile(files),
    listFiles(files),
    localSearch(files),
    retrieve(retriever),
    shell(shellDeps),
    webFetch(web),
    updateTasks({ clock }),
    delegate(),
  ];
  return { name: "builtin", tools: () => tools, close: async () => {} };
}

import { RE2JS } from "re2js";
import type { Tool, ToolContext } from "../ports/tool.ts";
import { FileError, type WorkspaceFiles } from "../ports/workspace-files.ts";
import { builtin, pathProperty } from "./builtin.ts";
import { SEARCHED_BYTES } from "./limits.ts";
import { explained } from "./read-text.ts";
import { plainPath } from "./text.ts";
import { type Find, type Found, matcher, searchFile } from "./search-file.ts";

export function localSearch(files: WorkspaceFiles): Tool {
  return builtin({
    name: "local_search",
    description:
      "Searches the text files of the workspace, without what .gitignore leaves out, and gives the lines that contain the query with file and line number.",
    properties: {
      query: {
        type: "string",
        minLength: 1,
        maxLength: 1_000,
        description: "The text to find, in one line, upper and lower case alike; or a regular expression.",
      },
      path: pathProperty("The directory or file to search. Default the whole workspace."),
      regex: {
        type: "boolean",
        description: "The query is a regular expression (RE2 syntax, case matters). Default false.",
      },
    },
    required: ["query"],
    access: "read",
    effect: "none",
    timeoutMs: 60_000,
    paths: [{ argument: "path", must: "exist" }],
    checks: [
      ({ query, regex }) => (regex === true && typeof query === "string" ? problem(query) : undefined),
      ({ query, regex }) =>
        regex !== true && /[\r\n]/.test(String(query))
          ? "query must be a single line: files are searched line by line."
          : undefined,
    ],
    async run(args, { workspace, signal }) {
      const { query, path = ".", regex = false } = args as unknown as Arguments;
      const find = matcher(query, regex);
      const found: Found = { chunks: [], files: 0, skipped: 0, truncated: false };
      await search(files, { workspace, path, signal }, find, found);
      signal.throwIfAborted();
      return { result: found, text: told(found, query) };
    },
  });
}

interface Arguments {
  readonly query: string;
  readonly path?: string;
  readonly regex?: boolean;
}

async function search(
  files: WorkspaceFiles,
  { workspace, path, signal }: Pick<ToolContext, "workspace" | "signal"> & { readonly path: string },
  find: Find,
  found: Found,
): Promise<void> {
  try {
    for await (const entry of files.walk({ workspace, path }, { signal })) {
      if (entry.type === "file") await searchFile(entry, find, found, signal);
      if (found.truncated) return;
    }
  } catch (error) {
    if (!(error instanceof FileError) || error.problem !== "not_a_directory")
      explained(files, { workspace }, path, () => {
        throw error;
      });
    const { bytes } = explained(files, { workspace }, path, () =>
      files.read({ workspace, path }, SEARCHED_BYTES),
    );
    await searchFile({ path, read: () => bytes }, find, found, signal);
  }
}

function told({ chunks, truncated, files }: Found, query: string): string {
  if (chunks.length === 0) return `No line contains ${JSON.stringify(query)} (${files} files searched).`;
  const lines = chunks.map(({ path, line, text }) => `${plainPath(path)}:${line}: ${text}`);
  return `${lines.join("\n")}${truncated ? `\n(Only the first ${chunks.length} lines; narrow the query or the path.)` : ""}`;
}

function problem(query: string): string | undefined {
  try {
    RE2JS.compile(query);
    return undefined;
  } catch (error) {
    return `query is not a regular expression in RE2 syntax (no look-around, no back-references): ${(error as Error).message}`;
  }
}

import { relative } from "node:path";
import type { Tool } from "../ports/tool.ts";
import type { WalkEntry, WorkspaceFiles } from "../ports/workspace-files.ts";
import { builtin, pathProperty } from "./builtin.ts";
import { glob } from "./glob.ts";
import { LISTED } from "./limits.ts";
import { explained } from "./read-text.ts";
import { plainPath, plural } from "./text.ts";

export function listFiles(files: WorkspaceFiles): Tool {
  return builtin({
    name: "list_files",
    description:
      "Lists a directory of the workspace, or with a pattern finds files in it and below. Leaves out what .gitignore leaves out when a pattern is given.",
    properties: {
      path: pathProperty('The directory. Default "." for the whole workspace.'),
      pattern: {
        type: "string",
        minLength: 1,
        maxLength: 512,
        description:
          'A glob, such as "*.ts" for files of that name anywhere below, "src/**/*.test.ts" or "*.{md,txt}". Without it only the directory itself is listed.',
      },
    },
    required: [],
    access: "read",
    effect: "none",
    paths: [{ argument: "path", must: "be_directory" }],
    checks: [({ pattern }) => (typeof pattern === "string" ? problem(pattern) : undefined)],
    async run(args, { workspace, signal }) {
      const { path = ".", pattern } = args as Arguments;
      const matches = pattern === undefined ? undefined : glob(pattern);
      const walk = files.walk(
        { workspace, path },
        { signal, flat: matches === undefined, ignored: matches === undefined },
      );
      const { entries, truncated } = await explainedAsync(() => collect(walk, path, matches));
      return { result: { path, entries, truncated }, text: told(entries, truncated) };

      function explainedAsync<T>(use: () => Promise<T>): Promise<T> {
        return use().catch((error: unknown) =>
          explained(files, { workspace }, path, () => {
            throw error;
          }),
        );
      }
    },
  });
}

interface Arguments {
  readonly path?: string;
  readonly pattern?: string;
}

interface Listed {
  readonly path: string;
  readonly type: WalkEntry["type"];
  readonly bytes?: number;
}

async function collect(
  walk: AsyncIterable<WalkEntry>,
  from: string,
  matches: ((path: string) => boolean) | undefined,
): Promise<{ readonly entries: readonly Listed[]; readonly truncated: boolean }> {
  const entries: Listed[] = [];
  for await (const { path, type, bytes } of walk) {
    if (matches !== undefined && (type === "directory" || !matches(relative(from, path)))) continue;
    if (entries.length === LISTED) return { entries, truncated: true };
    entries.push({ path, type, ...(type === "file" ? { bytes } : {}) });
  }
  return { entries, truncated: false };
}

function told(entries: readonly Listed[], truncated: boolean): string {
  if (entries.length === 0) return "(Nothing found.)";
  const lines = entries.map(({ path, type }) =>
    type === "directory" ? `${plainPath(path)}/` : plainPath(path),
  );
  const more = truncated
    ? `\n(Only the first ${plural(entries.length, "entry", "entries")}; narrow the path or the pattern.)`
    : "";
  return `${lines.join("\n")}${more}`;
}

function problem(pattern: string): string | undefined {
  try {
    glob(pattern);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

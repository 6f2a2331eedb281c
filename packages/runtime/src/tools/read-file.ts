import type { Tool } from "../ports/tool.ts";
import type { WorkspaceFiles } from "../ports/workspace-files.ts";
import { builtin, pathProperty } from "./builtin.ts";
import { LINE_CHARS, WINDOW_CHARS, WINDOW_LINES } from "./limits.ts";
import { readText } from "./read-text.ts";
import { cut, plural } from "./text.ts";

export function readFile(files: WorkspaceFiles): Tool {
  return builtin({
    name: "read_file",
    description:
      "Reads a text file of the workspace. Long files come in windows: the answer says which lines it has and with which offset to go on.",
    properties: {
      path: pathProperty("The file."),
      offset: { type: "integer", minimum: 1, description: "The first line to read, from 1. Default 1." },
      limit: {
        type: "integer",
        minimum: 1,
        maximum: WINDOW_LINES,
        description: `How many lines to read at most. Default ${WINDOW_LINES}.`,
      },
    },
    required: ["path"],
    access: "read",
    effect: "none",
    paths: [{ argument: "path", must: "be_file" }],
    async run(args, context) {
      const { path: asked, offset = 1, limit = WINDOW_LINES } = args as unknown as Arguments;
      const { path, text } = readText(files, context, asked);
      const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
      if (offset > Math.max(lines.length, 1))
        throw new Error(`${asked} has ${plural(lines.length, "line")}; there is no line ${offset}.`);
      const shown = window(lines.slice(offset - 1, offset - 1 + limit));
      const last = offset - 1 + shown.length;
      const more = last < lines.length;
      return {
        result: {
          path,
          content: shown.join("\n"),
          first_line: lines.length === 0 ? 0 : offset,
          last_line: last,
          total_lines: lines.length,
          truncated: more,
        },
        text: told(shown.join("\n"), lines.length, offset, last),
      };
    },
  });
}

interface Arguments {
  readonly path: string;
  readonly offset?: number;
  readonly limit?: number;
}

/** As many lines as fit, at least one. */
function window(lines: readonly string[]): readonly string[] {
  const shown: string[] = [];
  let chars = 0;
  for (const line of lines) {
    const short = cut(line, LINE_CHARS);
    chars += short.length + 1;
    if (chars > WINDOW_CHARS && shown.length > 0) break;
    shown.push(short);
  }
  return shown;
}

function told(content: string, total: number, first: number, last: number): string {
  if (total === 0) return "(The file is empty.)";
  if (first === 1 && last === total) return content;
  const next = last < total ? ` Go on with offset ${last + 1}.` : "";
  return `${content}\n\n(Lines ${first} to ${last} of ${total}.${next})`;
}

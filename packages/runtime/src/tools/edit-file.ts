import type { Tool } from "../ports/tool.ts";
import type { WorkspaceFiles } from "../ports/workspace-files.ts";
import { builtin, pathProperty } from "./builtin.ts";
import { applyEdit, type Edit } from "./edit-text.ts";
import { fileDiff } from "./file-diff.ts";
import { FILE_BYTES } from "./limits.ts";
import { explained, readText } from "./read-text.ts";
import { plural } from "./text.ts";

/** Once: where new_text contains old_text a second run would change the file again, and else it would report a failure that was none. */
export function editFile(files: WorkspaceFiles): Tool {
  return builtin({
    name: "edit_file",
    description:
      "Replaces one piece of text in a file of the workspace. old_text must be exactly what the file has, with enough lines around it to be there only once.",
    properties: {
      path: pathProperty("The file."),
      old_text: {
        type: "string",
        minLength: 1,
        description: "The text to replace, exactly as it is in the file, white space included.",
      },
      new_text: {
        type: "string",
        description: "What to put in its place; empty to remove it.",
        maxLength: FILE_BYTES,
      },
      replace_all: {
        type: "boolean",
        description: "Replace every place where old_text is found. Default false.",
      },
    },
    required: ["path", "old_text", "new_text"],
    access: "write",
    kind: "file_edit",
    effect: "once",
    paths: [{ argument: "path", must: "be_file" }],
    checks: [
      (args) =>
        args["old_text"] === args["new_text"]
          ? "old_text and new_text are the same, so there is nothing to change."
          : undefined,
    ],
    async preview(args, context) {
      const { path, ...edit } = args as unknown as Arguments;
      return fileDiff(files, context, path, (before) => applyEdit(before, edit, path).text);
    },
    async run(args, context) {
      const { path: asked, ...edit } = args as unknown as Arguments;
      const { path, text, bytes } = readText(files, context, asked);
      const changed = applyEdit(text, edit, asked);
      const after = Buffer.from(changed.text);
      if (after.length > FILE_BYTES)
        throw new Error(`${asked} would have ${after.length} bytes; at most ${FILE_BYTES} can be written.`);
      explained(files, context, asked, () =>
        files.write({ workspace: context.workspace, path: asked }, after, { replaces: bytes }),
      );
      return {
        result: { path, replacements: changed.lines.length, lines: changed.lines, bytes: after.length },
        text: `Changed ${path}: ${plural(changed.lines.length, "replacement")}, at line ${changed.lines.join(", ")}.`,
      };
    },
  });
}

interface Arguments extends Edit {
  readonly path: string;
}

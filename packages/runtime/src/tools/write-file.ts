import type { Tool } from "../ports/tool.ts";
import type { WorkspaceFiles } from "../ports/workspace-files.ts";
import { builtin, pathProperty } from "./builtin.ts";
import { fileDiff } from "./file-diff.ts";
import { FILE_BYTES } from "./limits.ts";
import { explained } from "./read-text.ts";

/** Writing the same again leaves the same file, so a call cut by a crash may be repeated. */
export function writeFile(files: WorkspaceFiles): Tool {
  return builtin({
    name: "write_file",
    description:
      "Writes a whole file of the workspace: makes it, with its directories, or replaces all of its content. To change a part of a file use edit_file.",
    properties: {
      path: pathProperty("The file."),
      content: { type: "string", description: "The whole new content.", maxLength: FILE_BYTES },
    },
    required: ["path", "content"],
    access: "write",
    kind: "file_edit",
    effect: "idempotent",
    paths: [{ argument: "path", must: "any" }],
    async preview(args, context) {
      const { path, content } = args as unknown as Arguments;
      return fileDiff(files, context, path, () => content);
    },
    async run(args, context) {
      const { path: asked, content } = args as unknown as Arguments;
      const bytes = Buffer.from(content);
      if (bytes.length > FILE_BYTES)
        throw new Error(`The content has ${bytes.length} bytes; at most ${FILE_BYTES} can be written.`);
      const { path, created } = explained(files, context, asked, () =>
        files.write({ workspace: context.workspace, path: asked }, bytes),
      );
      return {
        result: { path, created, bytes: bytes.length },
        text: `${created ? "Made" : "Replaced"} ${path} (${bytes.length} bytes).`,
      };
    },
  });
}

interface Arguments {
  readonly path: string;
  readonly content: string;
}

import { createTwoFilesPatch } from "diff";
import type { ToolContext, ToolPreview } from "../ports/tool.ts";
import { FileError, type WorkspaceFiles } from "../ports/workspace-files.ts";
import { FILE_BYTES } from "./limits.ts";
import { decodeText } from "./text.ts";

/** Comparing very different large files takes too long for somebody who waits. */
const PATIENCE_MS = 2_000;

/** What a change would do to a file, as a unified diff. */
export function fileDiff(
  files: WorkspaceFiles,
  { workspace }: Pick<ToolContext, "workspace">,
  path: string,
  change: (before: string) => string,
): ToolPreview {
  const before = current(files, workspace, path);
  if (before === undefined) return { diff: `Binary file ${path} would be replaced by text.\n` };
  const from = before.missing ? "/dev/null" : `a/${path}`;
  const patch = createTwoFilesPatch(
    from,
    `b/${path}`,
    before.text,
    change(before.text),
    undefined,
    undefined,
    {
      context: 3,
      timeout: PATIENCE_MS,
    },
  );
  return { diff: patch?.replace(/^=+\n/, "") ?? `${path} would change too much to be shown line by line.\n` };
}

function current(
  files: WorkspaceFiles,
  workspace: string,
  path: string,
): { readonly text: string; readonly missing: boolean } | undefined {
  try {
    const text = decodeText(files.read({ workspace, path }, FILE_BYTES).bytes);
    return text === undefined ? undefined : { text, missing: false };
  } catch (error) {
    if (error instanceof FileError && error.problem === "missing") return { text: "", missing: true };
    throw error;
  }
}

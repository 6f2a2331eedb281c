import { basename, dirname } from "node:path";
import type { ToolContext } from "../ports/tool.ts";
import { FileError, type WorkspaceFiles } from "../ports/workspace-files.ts";
import { FILE_BYTES } from "./limits.ts";
import { nearNames } from "./near-names.ts";
import { decodeText } from "./text.ts";

type At = Pick<ToolContext, "workspace">;

export interface TextFile {
  /** Relative to the workspace, links followed. */
  readonly path: string;
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** A text file of the workspace. Throws with a sentence that helps a model: near names, a better tool. */
export function readText(files: WorkspaceFiles, { workspace }: At, path: string): TextFile {
  const { bytes, path: real } = explained(files, { workspace }, path, () =>
    files.read({ workspace, path }, FILE_BYTES),
  );
  const text = decodeText(bytes);
  if (text === undefined)
    throw new Error(`${path} is a binary file of ${bytes.length} bytes; only text in UTF-8 can be read.`);
  return { path: real, text, bytes };
}

/** Adds what is there instead to the error of a file that is not. */
export function explained<T>(files: WorkspaceFiles, { workspace }: At, path: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    if (error.problem === "missing") throw new Error(`${error.message}${suggestions()}`, { cause: error });
    if (error.problem === "not_a_file")
      throw new Error(`${error.message} Use list_files to see what is in it.`, { cause: error });
    if (error.problem === "too_large")
      throw new Error(`${error.message} Use local_search to find the part you need.`, { cause: error });
    throw error;
  }

  function suggestions(): string {
    const above = dirname(path);
    const near = nearNames(basename(path), files.names({ workspace, path: above }));
    if (near.length === 0) return " Use list_files to see what there is.";
    const paths = near.map((name) => (above === "." ? name : `${above}/${name}`));
    return ` Did you mean ${paths.join(" or ")}?`;
  }
}

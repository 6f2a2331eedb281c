import type { Clock } from "../ports/clock.ts";
import type { Retrieved, Retriever } from "../ports/retrieval.ts";
import type { WorkspaceFiles } from "../ports/workspace-files.ts";
import { LINE_CHARS } from "./chunks.ts";
import { decoded } from "./decoded.ts";
import { FILE_BYTES, QUERY_CHARS, QUERY_TERMS, WORKSPACES } from "./limits.ts";
import { oneAfterAnother } from "./one-after-another.ts";
import { packed, toldOf } from "./pack.ts";
import { queryTerms } from "./terms.ts";
import { createWorkspaceIndex, type Found, type WorkspaceIndex } from "./workspace-index.ts";

interface Kept {
  readonly index: WorkspaceIndex;
  /** Resolves when a look that began after the call is over. */
  readonly refreshed: () => Promise<void>;
}

const CHARS_PER_TOKEN = 3.5;

/** Searches by BM25 over an index that is brought up to date with each question. Texts are read when they are told. */
export function createRetriever(deps: {
  readonly files: Pick<WorkspaceFiles, "walk" | "read">;
  readonly clock: Clock;
}): Retriever {
  const { files } = deps;
  const kept = new Map<string, Kept>();

  function indexOf(workspace: string): Kept {
    const found = kept.get(workspace) ?? made(workspace);
    // The one used last is kept longest.
    kept.delete(workspace);
    kept.set(workspace, found);
    for (const oldest of kept.keys()) if (kept.size > WORKSPACES) kept.delete(oldest);
    return found;
  }

  function made(workspace: string): Kept {
    const index = createWorkspaceIndex(workspace, deps);
    return { index, refreshed: oneAfterAnother(() => index.refresh()) };
  }

  function reader(workspace: string): (place: Found) => string | undefined {
    const read = new Map<string, readonly string[] | undefined>();
    return ({ path, start, end }) => {
      if (!read.has(path)) read.set(path, linesOf(files, workspace, path));
      const lines = read.get(path)?.slice(start - 1, end);
      return lines?.map((line) => line.slice(0, LINE_CHARS)).join("\n");
    };
  }

  return {
    async retrieve(workspace, query, { limit, chars, signal }): Promise<Retrieved> {
      signal.throwIfAborted();
      const { index, refreshed } = indexOf(workspace);
      await abortable(refreshed(), signal);
      const found = index.search(queryTerms(query.slice(0, QUERY_CHARS), QUERY_TERMS));
      const { citations, truncated } = packed(found, { limit, chars }, reader(workspace));
      const length = citations.reduce((sum, { text }) => sum + text.length, 0);
      return {
        citations,
        text: toldOf(citations),
        pack: {
          files: new Set(citations.map(({ path }) => path)).size,
          chunks: citations.length,
          tokens: Math.ceil(length / CHARS_PER_TOKEN),
          truncated,
          indexed_files: index.files,
          indexed_chunks: index.chunks,
          complete: index.complete,
        },
      };
    },
  };
}

function linesOf(
  files: Pick<WorkspaceFiles, "read">,
  workspace: string,
  path: string,
): readonly string[] | undefined {
  try {
    return decoded(files.read({ workspace, path }, FILE_BYTES).bytes)?.split("\n");
  } catch {
    return undefined;
  }
}

/** The work goes on for others; only this wait ends. */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

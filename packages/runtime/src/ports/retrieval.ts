/** A passage of a file. */
export interface Citation {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** First and last, counted from 1. */
  readonly lines: readonly [number, number];
  /** Comparable within one answer only. */
  readonly score: number;
  readonly method: string;
  readonly text: string;
}

/** What was gathered, in numbers. */
export interface ContextPack {
  readonly files: number;
  readonly chunks: number;
  /** An estimate: a token is taken for 3.5 characters. */
  readonly tokens: number;
  /** Something that fits was left out or cut, because there was no room for it. */
  readonly truncated: boolean;
  readonly indexed_files: number;
  readonly indexed_chunks: number;
  /** False where the workspace is larger than what is indexed. */
  readonly complete: boolean;
}

export interface Retrieved {
  readonly citations: readonly Citation[];
  readonly pack: ContextPack;
  /** For a model: the passages, marked as content and numbered line by line. Empty when there are none. */
  readonly text: string;
}

export interface RetrieveOptions {
  /** Most passages. */
  readonly limit: number;
  /** Most characters of passages. */
  readonly chars: number;
  readonly signal: AbortSignal;
}

/** Finds passages of a workspace's files that fit a query, as the files are now. */
export interface Retriever {
  retrieve(workspace: string, query: string, options: RetrieveOptions): Promise<Retrieved>;
}

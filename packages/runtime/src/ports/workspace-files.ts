export type FileProblem =
  /** It lies outside the workspace, or a link leads there. */
  | "outside"
  /** It lies inside, and tools may not touch it: git's internals, our own data. */
  | "protected"
  | "missing"
  | "not_a_file"
  | "not_a_directory"
  | "too_large"
  /** It is not what the caller last read. */
  | "changed"
  /** The system says no: permissions, a full disk. */
  | "refused";

/** The message is for models: it names the path as it was asked for, and never what lies outside. */
export class FileError extends Error {
  override readonly name = "FileError";
  readonly problem: FileProblem;

  constructor(problem: FileProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

/** A path in a workspace. */
export interface Place {
  /** Absolute. */
  readonly workspace: string;
  /** Relative to the workspace; empty and `.` mean the workspace itself. */
  readonly path: string;
}

export interface WalkEntry {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** A link is never followed. */
  readonly type: "file" | "directory" | "link" | "other";
  readonly bytes: number;
  /** Of files: another one when the file was changed or replaced, as far as the file system can tell. */
  readonly stamp: string;
  /** Of files: when that was, in milliseconds. A second change soon after may leave the stamp as it is. */
  readonly changedAt: number;
  /** Of files: how many names it has. With more than one it may also lie outside: a hard link. */
  readonly names: number;
  /** The content, of files; undefined when it is larger, gone or may not be read. Only until the next entry is asked for. */
  read(maxBytes: number): Uint8Array | undefined;
}

export interface WalkOptions {
  readonly signal: AbortSignal;
  /** Also what git ignores. */
  readonly ignored?: boolean;
  /** What is left out beside that, with all that is below it; told the path relative to the workspace, of a directory with a `/` at its end. */
  readonly left?: (path: string) => boolean;
  /** Only this directory, not what is below it. */
  readonly flat?: boolean;
}

/**
 * Files of one workspace and nothing else. What was opened is checked, not what was named, so that a link put in
 * place between the two changes nothing. All members throw FileError.
 */
export interface WorkspaceFiles {
  read(place: Place, maxBytes: number): { readonly path: string; readonly bytes: Uint8Array };
  /**
   * Puts a new file in the place, whole or not at all; directories on the way are made. Another name of the same
   * file, a hard link, keeps what it had. With `replaces` only while the file still has these bytes.
   */
  write(
    place: Place,
    bytes: Uint8Array,
    options?: { readonly replaces?: Uint8Array },
  ): { readonly path: string; readonly created: boolean };
  /** The names in a directory, sorted; empty when it cannot be read. */
  names(place: Place): readonly string[];
  /** Depth first, names in order. Leaves out what tools may not touch. */
  walk(place: Place, options: WalkOptions): AsyncIterable<WalkEntry>;
}

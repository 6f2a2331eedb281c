/**
 * `worktree`: a git worktree of the project's repository. `clone`: a repository of its own, which reads what the project's
 * has. `copy`: files of the project, copied.
 */
export type WorkspaceMethod = "worktree" | "clone" | "copy";

/** A place of its own for the work of one session. */
export interface Workspace {
  readonly id: string;
  /** Names the machine that has its files, or rather the directory there: whoever shares that is the same host. */
  readonly host: string;
  /** Where the session works, absolute, without symbolic links. */
  readonly path: string;
  readonly method: WorkspaceMethod;
  /** The project that it was made from. */
  readonly source: string;
  /** The snapshot that all changes are counted from: the project as it was when the work began. */
  readonly base: string;
  /** The newest snapshot. */
  readonly last: string;
  /** Why it is a worktree or a copy, in a sentence for people. */
  readonly reason: string;
  /** What of the project is not in it, or is otherwise than there. Sentences for people. */
  readonly notes: readonly string[];
  /** The workspace that it is a branch of. */
  readonly restored_from: SnapshotRef | null;
  /** The session that it is for. */
  readonly session_id: string;
  /** ISO 8601. */
  readonly created_at: string;
  /** `removed`: its files are gone from here, and come back from the last snapshot. */
  readonly state: "ready" | "removed";
  /** `project`: it has no files; it keeps those of the project, which its session works in. */
  readonly keeps?: "project";
}

/** Why files were not kept. It would be the same the next time. */
export interface Unkept {
  readonly unkept: "too_large" | "too_slow";
  /** A sentence for people. */
  readonly why: string;
}

/** Names a snapshot. Refs are told apart by workspace: only there are they found. */
export interface SnapshotRef {
  readonly workspace_id: string;
  /** `git:COMMIT` or `tree:SHA256`. */
  readonly ref: string;
}

export interface Snapshot extends SnapshotRef {
  readonly base: string;
  /** Whether anything differs from the snapshot before. */
  readonly changed: boolean;
  /** What was left out, in sentences for people. */
  readonly notes: readonly string[];
}

export interface ChangedFile {
  readonly path: string;
  readonly status: "added" | "modified" | "deleted";
  /** Lines; null where the file is not text. */
  readonly added: number | null;
  readonly removed: number | null;
}

export interface WorkspaceDiff {
  readonly files: readonly ChangedFile[];
  /** Unified. What is not text is named only. */
  readonly text: string;
  /** There is more than is shown here: of the files, or of the text. */
  readonly truncated: boolean;
}

export interface Offer {
  readonly diff: WorkspaceDiff;
  /** The snapshots that lie between: what the work began with, and what it came to. */
  readonly from: string;
  readonly to: string;
  /** A branch of the user's repository that holds the change, not checked out anywhere; null where there is none. */
  readonly branch: string | null;
  readonly commit: string | null;
  /** Why there is no branch, or what is to be known of it. */
  readonly note: string | null;
}

export interface KeepOrder {
  readonly id: string;
  readonly session_id: string;
  /** The workspace that it works in: that of another session. */
  readonly inside: string;
}

/**
 * Places of their own for sessions that write. The user's checkout, index, HEAD and stash are only ever read. Members
 * reject with FairleadError: workspace_unavailable, workspace_too_large, snapshot_not_found. One caller at a time for a
 * workspace: whoever drives its session.
 */
export interface Workspaces {
  /** Whether background work that writes gets a place of its own. Those that have one work there either way. */
  readonly isolates: boolean;
  /** The `host` of all that is here; undefined before the first was made. */
  host(): string | undefined;
  /** Makes it, or finds it made. What an earlier try left half done is in nobody's way. */
  prepare(order: {
    readonly id: string;
    readonly session_id: string;
    readonly source: string;
  }): Promise<Workspace>;
  /** The workspace with its files there: from the last snapshot, where they are gone. */
  open(id: string): Promise<Workspace>;
  /** Undefined when there is none of this id. */
  find(id: string): Promise<Workspace | undefined>;
  list(): Promise<readonly Workspace[]>;
  /** Where the files of one of this id are, or would be. */
  pathOf(id: string): string;
  /** Its files as they are now. What git would ignore is not in it. */
  snapshot(id: string): Promise<Snapshot>;
  /**
   * The files of a place that was not made for the session, as they are now. Its snapshots have an id of their own, so
   * that those who work in one place do not wait for each other; its files count as `removed`.
   */
  keep(order: KeepOrder): Promise<Snapshot>;
  /**
   * The files of a project that the session works in without a place of its own, as they are now: in a store of ours, and
   * neither what git would ignore nor what may be secret. Undefined where that is switched off.
   */
  keepProject(order: {
    readonly id: string;
    readonly session_id: string;
    readonly source: string;
  }): Promise<Snapshot | Unkept | undefined>;
  /**
   * Whether the project has the files of this snapshot now, as far as they are kept. False also where that cannot be told.
   * Leaves nothing behind.
   */
  isAsKept(from: SnapshotRef): Promise<boolean>;
  /** A new workspace with the files as they were. */
  restore(order: {
    readonly id: string;
    readonly session_id: string;
    readonly from: SnapshotRef;
  }): Promise<Workspace>;
  /** What leads from one to the other. They must be of one project. */
  diff(from: SnapshotRef, to: SnapshotRef): Promise<WorkspaceDiff>;
  /** The change since the beginning: as a diff, and where there is a repository as a branch. Nothing is checked out. */
  offer(order: { readonly id: string; readonly name: string; readonly message: string }): Promise<Offer>;
  /** Takes the files away, after a last snapshot. Snapshots and branches stay. Idempotent. */
  remove(id: string): Promise<void>;
  /** Takes away what processes left that were killed while they made one, long ago. Returns how many. */
  tidy(): Promise<number>;
  /** Lets go of its snapshots too, unless another workspace came from them. Branches that were offered stay. */
  forget(id: string): Promise<boolean>;
}

import type { Offer, WorkspaceDiff } from "../ports/workspaces.ts";
import type { RecordedRepository, WorkspaceRecord } from "./record.ts";

/** A workspace that is being made: where its files go, and where we keep what belongs to it. */
export interface Making {
  readonly id: string;
  readonly root: string;
  readonly own: string;
}

export interface Made {
  readonly path: string;
  readonly base: string;
  readonly refs: readonly string[];
  readonly notes: readonly string[];
  readonly repository: RecordedRepository | null;
}

export interface Taken {
  readonly ref: string;
  readonly notes: readonly string[];
}

export interface OfRecord {
  readonly record: WorkspaceRecord;
  readonly ref: string;
}

/** How one kind of workspace does its work. */
export interface Method {
  /** Of the files in the workspace `inside`: its own, unless it keeps those of another. Null: of the project itself. */
  snapshot(record: WorkspaceRecord, inside: string | null): Promise<Taken>;
  /** What is needed to keep the files of another workspace, from its last snapshot on. */
  share(making: Making, of: WorkspaceRecord): Promise<Made>;
  /** Throws snapshot_not_found. */
  restore(making: Making, from: OfRecord): Promise<Made>;
  diff(from: OfRecord, to: OfRecord): Promise<WorkspaceDiff>;
  /** The branch with the change up to this snapshot, where there can be one. */
  branch(
    of: OfRecord,
    order: { readonly name: string; readonly message: string },
  ): Promise<Pick<Offer, "branch" | "commit" | "note">>;
  /** Takes the files away. */
  drop(record: WorkspaceRecord): Promise<void>;
  /** Lets go of the snapshots. */
  forget(record: WorkspaceRecord): Promise<void>;
}

import {
  type ChangeArtifact,
  type NewEvent,
  type SnapshotArtifact,
  type TaskGraphArtifact,
  type WorkspaceArtifact,
} from "@fairlead/contract";
import type { Offer, SnapshotRef, Workspace } from "../../ports/workspaces.ts";

type Made = NewEvent<"runtime.artifact.created">;

function made(artifact: Made["data"]["artifact"]): Made {
  return { type: "runtime.artifact.created", data: { artifact } };
}

export function workspaceArtifact({ id, host, path, method, source, base, reason, notes }: Workspace): Made {
  const artifact: WorkspaceArtifact = {
    id,
    kind: "workspace",
    workspace_id: id,
    host,
    path,
    method,
    source,
    base,
    summary: reason,
    notes: [...notes],
  };
  return made(artifact);
}

/** The id is the workspace's: lists show the newest, the log has them all. */
export function snapshotArtifact({ workspace_id, ref }: SnapshotRef, base: string): Made {
  const artifact: SnapshotArtifact = {
    id: snapshotId(workspace_id),
    kind: "workspace_snapshot",
    workspace_id,
    ref,
    base,
    summary: "The files of the workspace as they were here.",
  };
  return made(artifact);
}

export function snapshotId(workspace_id: string): string {
  return `snapshot_${workspace_id}`;
}

export function changeArtifact(workspace_id: string, offer: Offer): Made {
  const { diff, from, to, branch, commit, note } = offer;
  const count = `${diff.files.length}${diff.truncated ? " or more" : ""} changed file(s)`;
  const artifact: ChangeArtifact = {
    id: `change_${workspace_id}`,
    kind: "workspace_change",
    workspace_id,
    from,
    to,
    branch,
    commit,
    note,
    files: diff.files.map((file) => ({ ...file })),
    truncated: diff.truncated,
    summary: branch === null ? `${count}. ${note ?? ""}`.trim() : `${count} on the branch ${branch}.`,
    mime_type: "text/x-diff",
    content: diff.text,
  };
  return made(artifact);
}

export interface Task {
  readonly id: string;
  readonly title: string;
  readonly status: string;
}

/** A list of tasks is done in order: each waits for the one before. */
export function taskGraphArtifact(task_graph_id: string, tasks: readonly Task[]): Made {
  const artifact: TaskGraphArtifact = {
    id: task_graph_id,
    kind: "task_graph",
    task_graph_id,
    summary: `${tasks.length} task(s).`,
    nodes: tasks.map(({ id, title, status }) => ({ id, title, status })),
    edges: tasks.slice(1).map(({ id }, i) => [tasks[i]?.id ?? "", id]),
  };
  return made(artifact);
}

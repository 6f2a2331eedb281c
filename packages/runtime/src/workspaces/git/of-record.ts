import { existsSync } from "node:fs";
import { FairleadError } from "@fairlead/contract";
import type { RecordedRepository, WorkspaceRecord } from "../record.ts";
import type { Repository } from "./repository.ts";

/** Throws workspace_unavailable where the repository has gone. */
export function repositoryOf({ id, repository }: WorkspaceRecord): RecordedRepository {
  if (repository === null) throw gone(id, "It is no worktree.");
  if (!existsSync(repository.common)) throw gone(id, "The repository is not there any more.");
  return repository;
}

/** The repository as far as it is needed where the checkout is not looked at. */
export function wholeOf(repository: RecordedRepository, commit: string): Repository {
  const format = commit.length === 64 ? "sha256" : "sha1";
  return { ...repository, gitDir: repository.common, head: null, format };
}

export function gone(id: string, why: string): FairleadError {
  return new FairleadError("workspace_unavailable", {
    message: `The workspace cannot be used. ${why}`,
    details: { workspace_id: id },
  });
}

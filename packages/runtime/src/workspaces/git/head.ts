import { type Git, GitError, type GitOptions, line } from "./run.ts";

export interface Head {
  readonly commit: string;
  readonly tree: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What the checkout stands on; undefined before the first commit. By plumbing, which runs nothing to check who signed it. */
export async function headOf(git: Git, top: string, options: GitOptions = {}): Promise<Head | undefined> {
  const asked = ["rev-list", "--max-count=1", "--format=%H %T %ct", "HEAD", "--"];
  try {
    const said = await line(git, asked, { ...options, cwd: top });
    const [commit = "", tree = "", seconds = ""] = (said.split("\n")[1] ?? "").split(" ");
    return commit === "" ? undefined : { commit, tree, at: Number(seconds) * 1_000 };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return undefined;
  }
}

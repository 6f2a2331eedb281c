import type { Offer } from "../../ports/workspaces.ts";
import type { OfRecord } from "../method.ts";
import { commitOf } from "./places.ts";
import { type Git, GitError, type GitPlace, line } from "./run.ts";
import { ownDir } from "./worktree.ts";

export interface OfferDeps {
  readonly git: Git;
  /** Where the snapshots are. */
  readonly place: GitPlace;
  /** What the branch goes on from: commits of the agent's own, or what it began with. */
  readonly began: (base: string) => Promise<string>;
  /** Puts the commits into the repository, where they are not there yet. */
  readonly deliver?: (commits: readonly string[]) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

type Made = Pick<Offer, "branch" | "commit" | "note">;
/** Names that are tried where one is taken. */
const TRIES = 50;

/** A branch of the user's repository with the change. No checkout is touched, and no branch that somebody else moved. */
export async function offerBranch(
  { git, place, began, deliver, at }: OfferDeps,
  { record, ref }: OfRecord,
  { name, message }: { readonly name: string; readonly message: string },
): Promise<Made> {
  const { repository, offered } = record;
  if (repository === null) return { branch: null, commit: null, note: "There is no repository." };
  const { common } = repository;
  const treeOf = (commit: string) => line(git, ["rev-parse", `${commit}^{tree}`], place);
  const tree = await treeOf(commitOf(ref));
  const base = commitOf(record.base);
  const parent = await began(base);
  if (parent === base && (await treeOf(base)) === tree)
    return { branch: null, commit: null, note: "Nothing was changed." };

  const taken = await checkedOut(git, common);
  const at_ = async (branch: string) => {
    const asked = ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`];
    return (await git(asked, { gitDir: common, codes: [1] })).stdout.toString("utf8").trim();
  };
  for (let i = 1; i <= TRIES; i++) {
    const branch = i === 1 ? `fairlead/${name}` : `fairlead/${name}-${i}`;
    const now = await at_(branch);
    const isOurs = offered?.branch === branch && offered.commit === now;
    if (isOurs && (await treeOf(now)) === tree) return { branch, commit: now, note: null };
    if (now !== "" && (!isOurs || taken.has(branch))) continue;
    const commit =
      (await treeOf(parent)) === tree
        ? parent
        : await line(git, ["commit-tree", tree, "-p", parent, "-m", message], { ...place, at });
    try {
      await deliver?.([parent, commit]);
      const zero = "0".repeat(commit.length);
      await git(["update-ref", "--no-deref", `refs/heads/${branch}`, commit, now === "" ? zero : now], {
        gitDir: common,
      });
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      return { branch: null, commit: null, note: `The branch could not be made: ${error.message}` };
    }
    return { branch, commit, note: null };
  }
  return { branch: null, commit: null, note: `Every name like fairlead/${name} is taken.` };
}

/** What the agent committed in its worktree, where that goes on from what it began with; else just that. */
export async function committed(git: Git, common: string, root: string, base: string): Promise<string> {
  try {
    const gitDir = ownDir({ common, path: root });
    const head = await line(git, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], { gitDir });
    const { code } = await git(["merge-base", "--is-ancestor", base, head], { gitDir: common, codes: [1] });
    return code === 0 ? head : base;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return base;
  }
}

/** Branches that some checkout stands on: to move one would change what is under somebody's hands. */
async function checkedOut(git: Git, common: string): Promise<ReadonlySet<string>> {
  const said = (await git(["worktree", "list", "--porcelain"], { gitDir: common })).stdout.toString("utf8");
  const branches = said.split("\n").filter((text) => text.startsWith("branch refs/heads/"));
  return new Set(branches.map((text) => text.slice("branch refs/heads/".length)));
}

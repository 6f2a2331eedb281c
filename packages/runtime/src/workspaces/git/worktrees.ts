import { existsSync } from "node:fs";
import { lstat, mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { FairleadError } from "@fairlead/contract";
import type { Clock } from "../../ports/clock.ts";
import type { WorkspaceLimits } from "../limits.ts";
import type { Made, Making, Method } from "../method.ts";
import type { RecordedRepository, WorkspaceRecord } from "../record.ts";
import { type Begun, noteBegun } from "./begun.ts";
import { gitDiff } from "./diff.ts";
import { gone, repositoryOf, wholeOf } from "./of-record.ts";
import { committed, offerBranch } from "./offer.ts";
import { commitOf, isPinned, pin, placeOf, unpin } from "./places.ts";
import { makePrivateDir, type Repository } from "./repository.ts";
import { type Git, line } from "./run.ts";
import { seedIndex } from "./seed-index.ts";
import { stage, stageAgain } from "./stage.ts";
import type { Left } from "./working-tree.ts";
import { addWorktree, dropWorktree, fillWorktree } from "./worktree.ts";

export interface WorktreesDeps {
  readonly git: Git;
  readonly clock: Clock;
  readonly limits: WorkspaceLimits;
  /** What of a working tree is ours and in no snapshot. */
  readonly leftOut: (workTree: string) => Left;
  readonly ownOf: (id: string) => string;
  readonly rootOf: (id: string) => string;
  /** What the user has git ignore beside the rules in the checkout. */
  readonly excludes: (top: string) => string | undefined;
  /** The files in which the user sets what git does everywhere. */
  readonly configs: readonly string[];
}

const ATTRIBUTES_BYTES = 1024 * 1024;

export interface Worktrees extends Method {
  prepare(making: Making, repository: Repository): Promise<Made>;
  /** Takes away what a try left in the repository that failed. */
  abandon(making: Pick<Making, "id" | "root">, repository: Begun): Promise<void>;
}

/** Worktrees of the user's repository. Its objects hold the snapshots; a ref of ours keeps them. */
export function createWorktrees(deps: WorktreesDeps): Worktrees {
  const { git, clock, limits, leftOut, ownOf, rootOf, excludes } = deps;

  async function make(
    { id, root, own }: Making,
    repository: Repository,
    commits: { readonly files: string; readonly base: string },
    notes: readonly string[],
  ): Promise<Made> {
    const { common, top, prefix } = repository;
    await noteBegun(own, repository);
    // One that is opened again has later snapshots, which must not be let go of.
    if (!(await isPinned(git, common, id, commits.files))) await pin(git, common, id, commits.files);
    await addWorktree(git, { common, path: root }, commits.base);
    await fillWorktree(git, placeOf(own, { common }), { common, path: root }, commits);
    const path = join(root, prefix);
    // A project with nothing in it that git would keep.
    await mkdir(path, { recursive: true });
    return {
      path,
      base: `git:${commits.base}`,
      refs: [],
      notes: [...notes, ...(await filtered(root))],
      repository: { common, top, prefix },
    };
  }

  /** The project as it is now, uncommitted changes and all: on top of its last commit where it differs from it. */
  async function beginning(own: string, repository: Repository) {
    const { common, top, head } = repository;
    const place = { ...placeOf(own, { common }), index: join(own, "source-index"), workTree: top };
    await seedIndex(git, place, join(repository.gitDir, "index"), head);
    const { tree, notes } = await stage(git, place, { limits, isLeft: leftOut(top), theirs: { head } });
    await rm(place.index, { force: true });
    if (head !== null && (await line(git, ["rev-parse", `${head}^{tree}`], place)) === tree)
      return { commit: head, notes };
    const parent = head === null ? [] : ["-p", head];
    const message = "Uncommitted changes in the checkout when the session began";
    const commit = await line(git, ["commit-tree", tree, ...parent, "-m", message], {
      ...place,
      at: clock.now(),
    });
    return {
      commit,
      notes: ["It has the uncommitted changes of the checkout, in a commit of their own.", ...notes],
    };
  }

  function ofRecord(record: WorkspaceRecord): { repository: RecordedRepository; own: string } {
    return { repository: repositoryOf(record), own: ownOf(record.id) };
  }

  return {
    async prepare(making, repository) {
      await mkdir(making.own, { recursive: true, mode: 0o700 });
      await makePrivateDir(git, join(making.own, "git"), repository, excludes(repository.top));
      const { commit, notes } = await beginning(making.own, repository);
      return make(making, repository, { files: commit, base: commit }, notes);
    },

    async abandon({ id, root }, { common }) {
      await dropWorktree({ common, path: root });
      // Where that cannot be done nothing was kept either.
      await unpin(git, common, id).catch(() => {});
    },

    async snapshot(record, inside) {
      const { repository, own } = ofRecord(record);
      const place = { ...placeOf(own, repository), workTree: rootOf(inside ?? record.id) };
      if (!existsSync(place.workTree)) throw gone(record.id, "Its directory is not there.");
      const last = commitOf(record.last);
      const options = { limits, isLeft: leftOut(place.workTree) };
      const { tree, notes } = await stageAgain(git, place, last, options);
      if ((await line(git, ["rev-parse", `${last}^{tree}`], place)) === tree)
        return { ref: record.last, notes };
      const commit = await line(git, ["commit-tree", tree, "-p", last, "-m", "Snapshot"], {
        ...place,
        at: clock.now(),
      });
      await pin(git, repository.common, record.id, commit);
      return { ref: `git:${commit}`, notes };
    },

    async share({ id, own, root }, of) {
      const { repository, own: theirs } = ofRecord(of);
      const head = commitOf(of.last);
      await mkdir(own, { recursive: true, mode: 0o700 });
      await makePrivateDir(git, join(own, "git"), wholeOf(repository, head), excludes(repository.top));
      const place = { ...placeOf(own, repository), workTree: rootOf(of.id) };
      await seedIndex(git, place, join(theirs, "index"), head);
      await noteBegun(own, repository);
      await pin(git, repository.common, id, head);
      return { path: root, base: of.base, refs: [], notes: [], repository };
    },

    async restore(making, { record, ref }) {
      const { repository } = ofRecord(record);
      const files = commitOf(ref);
      const { common } = repository;
      if (!(await isPinned(git, common, record.id, files)))
        throw new FairleadError("snapshot_not_found", { details: { workspace_id: record.id, ref } });
      await mkdir(making.own, { recursive: true, mode: 0o700 });
      const whole = wholeOf(repository, files);
      await makePrivateDir(git, join(making.own, "git"), whole, excludes(whole.top));
      return make(making, whole, { files, base: commitOf(record.base) }, []);
    },

    async diff(from, to) {
      const { repository, own } = ofRecord(from.record);
      const commits = [commitOf(from.ref), commitOf(to.ref)] as const;
      for (const [i, { record, ref }] of [from, to].entries())
        if (!(await isPinned(git, repository.common, record.id, commits[i] ?? "")))
          throw new FairleadError("snapshot_not_found", { details: { workspace_id: record.id, ref } });
      return gitDiff(git, placeOf(own, repository), commits, limits);
    },

    branch(of, order) {
      const { own, repository } = ofRecord(of.record);
      const { common } = repository;
      const began = (base: string) => committed(git, common, rootOf(of.record.id), base);
      return offerBranch({ git, place: placeOf(own, repository), began, at: clock.now() }, of, order);
    },

    async drop(record) {
      const { repository } = record;
      const path = rootOf(record.id);
      if (repository === null) await rm(path, { recursive: true, force: true });
      else await dropWorktree({ common: repository.common, path });
    },

    async forget({ id, repository }) {
      if (repository !== null && existsSync(repository.common)) await unpin(git, repository.common, id);
    },
  };
}

/** Filters are programs of the repository's choice, and are not run. */
async function filtered(root: string): Promise<string[]> {
  const file = join(root, ".gitattributes");
  const stats = await lstat(file).catch(() => undefined);
  // A link could lead to something without an end.
  const text = stats?.isFile() && stats.size < ATTRIBUTES_BYTES ? await readFile(file, "utf8") : "";
  return /^[^#\n]*\sfilter=/m.test(text)
    ? [
        "Files that a filter keeps elsewhere, such as Git LFS, are here as last committed, and as the repository stores them.",
      ]
    : [];
}

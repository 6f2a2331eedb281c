import { existsSync } from "node:fs";
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FairleadError } from "@fairlead/contract";
import type { Made, Making, Method, OfRecord, Taken } from "../method.ts";
import { keepNotes, notesKept } from "../notes-kept.ts";
import type { WorkspaceRecord } from "../record.ts";
import { gitDiff } from "./diff.ts";
import { writeCommit } from "./commit.ts";
import { copyCommits } from "./copy-commits.ts";
import { gitDirOf } from "./head-files.ts";
import { dropIndex, indexAtHead } from "./head-index.ts";
import { clearLook, look } from "./look.ts";
import { gone, repositoryOf, wholeOf } from "./of-record.ts";
import { offerBranch } from "./offer.ts";
import { makeClone, makeOwnStore, type OwnPlace, ownPlace, refreshOwnStore } from "./own-store.ts";
import { commitOf } from "./places.ts";
import type { Repository } from "./repository.ts";
import { GitError, line } from "./run.ts";
import { seedIndex } from "./seed-index.ts";
import { stageAgain } from "./stage.ts";
import type { WorktreesDeps } from "./worktrees.ts";

export interface Clones extends Method {
  /** Begins to keep the files of a checkout that sessions work in. */
  watch(making: Making, repository: Repository): Promise<Made>;
}

/**
 * Snapshots of a checkout that is not ours, and places made from them. Nothing of it is in the user's repository before a
 * change is offered: each has objects of its own, which go with it.
 */
export function createClones(deps: WorktreesDeps): Clones {
  const { git, clock, limits, leftOut, ownOf, rootOf, excludes, configs } = deps;

  /** Of the project. The same files on the same commit are the same snapshot, whoever takes it. */
  async function lookAt(own: string, repository: Repository): Promise<Taken> {
    const { top } = repository;
    const place = { ...ownPlace(own, repository), workTree: top };
    await refreshOwnStore(git, place.gitDir, repository, { excludes: () => excludes(top), configs });
    await clearLook(place);
    const at = await indexAtHead(git, place, repository);
    const { tree, notes } = await look(git, place, at, { limits, isLeft: leftOut(top) });
    const { head } = at;
    if (head?.tree === tree) return { ref: `git:${head.commit}`, notes };
    const parents = head === null ? [] : [head.commit];
    const message = "The files of the checkout, as they were";
    const commit = await writeCommit(place.objects, { tree, parents, message, at: head?.at ?? 0 });
    return { ref: `git:${commit}`, notes };
  }

  /** What is known from earlier looks only saves time: where it is broken it is thrown away, once. */
  async function lookAnew(own: string, repository: Repository): Promise<Taken> {
    try {
      return await noted(own, await lookAt(own, repository));
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      await dropIndex(ownPlace(own, repository).index);
      return noted(own, await lookAt(own, repository));
    }
  }

  /** Of a place that was made from a snapshot: each on what it began with. */
  async function lookAgain(record: WorkspaceRecord, inside: string): Promise<Taken> {
    const { id, base, last } = record;
    const place = { ...placeOf(record), workTree: rootOf(inside) };
    if (!existsSync(place.workTree)) throw gone(id, "Its directory is not there.");
    const options = { limits, isLeft: leftOut(place.workTree) };
    const { tree, notes } = await stageAgain(git, place, commitOf(last), options);
    for (const ref of [last, base])
      if ((await line(git, ["rev-parse", `${commitOf(ref)}^{tree}`], place)) === tree)
        return noted(ownOf(id), { ref, notes });
    const parents = [commitOf(base)];
    const commit = await writeCommit(place.objects, { tree, parents, message: "Snapshot", at: clock.now() });
    return noted(ownOf(id), { ref: `git:${commit}`, notes });
  }

  async function noted(own: string, taken: Taken): Promise<Taken> {
    await keepNotes(own, taken.ref, taken.notes);
    return taken;
  }

  /** Throws workspace_unavailable where the repository has gone. */
  function placeOf(record: WorkspaceRecord): OwnPlace {
    return ownPlace(ownOf(record.id), repositoryOf(record));
  }

  /** A store for another, with these of its snapshots. */
  async function handOn(own: string, record: WorkspaceRecord, refs: readonly string[]): Promise<Repository> {
    const repository = repositoryOf(record);
    const commits = refs.map(commitOf);
    const whole = wholeOf(repository, commits[0] ?? "");
    await mkdir(own, { recursive: true, mode: 0o700 });
    await makeOwnStore(git, join(own, "git"), whole, { excludes: excludes(whole.top), asStored: true });
    if (own !== ownOf(record.id))
      await copyCommits(git, placeOf(record), ownPlace(own, repository).objects, commits);
    return whole;
  }

  /** A repository for the agent to look into, which may do with it as it likes: we do not look there. */
  async function furnish(own: string, root: string, repository: Repository, base: string): Promise<void> {
    const theirs = join(root, ".git");
    const place = ownPlace(own, repository);
    await makeClone(git, theirs, repository, excludes(repository.top));
    await copyCommits(git, place, join(theirs, "objects"), [base]);
    await writeFile(join(theirs, "HEAD"), `${base}\n`);
    const index = join(theirs, "index");
    await copyFile(place.index, index);
    await git(["read-tree", "--reset", base], { ...place, index });
    await git(["update-index", "-q", "--refresh"], { ...place, index, workTree: root, codes: [1] });
  }

  function demandTaken({ record, ref }: OfRecord): string {
    if (record.refs.includes(ref)) return commitOf(ref);
    throw new FairleadError("snapshot_not_found", { details: { workspace_id: record.id, ref } });
  }

  return {
    async watch({ own, root }, repository) {
      const { common, top, prefix } = repository;
      await mkdir(own, { recursive: true, mode: 0o700 });
      const { ref, notes } = await lookAnew(own, repository);
      return { path: root, base: ref, refs: [ref], notes, repository: { common, top, prefix } };
    },

    async snapshot(record, inside) {
      if (inside !== null) return lookAgain(record, inside);
      const repository = repositoryOf(record);
      const gitDir = gitDirOf(repository.top);
      if (gitDir === undefined) throw gone(record.id, "The project is no checkout any more.");
      const whole = wholeOf(repository, commitOf(record.last));
      return lookAnew(ownOf(record.id), { ...whole, gitDir });
    },

    async share({ own, root }, of) {
      const { base, last } = of;
      await handOn(own, of, [base, last]);
      await seedIndex(git, ownPlace(own, repositoryOf(of)), placeOf(of).index, commitOf(last));
      return { path: root, base, refs: [base, last], notes: [], repository: of.repository };
    },

    async restore({ id, own, root }, { record, ref }) {
      const files = demandTaken({ record, ref });
      const base = record.keeps === "project" ? ref : record.base;
      const whole = await handOn(own, record, [base, ref]);
      await rm(root, { recursive: true, force: true });
      await mkdir(root, { recursive: true, mode: 0o700 });
      const place = ownPlace(own, whole);
      await rm(place.index, { force: true });
      await git(["read-tree", "--reset", "-u", files], { ...place, workTree: root });
      await furnish(own, root, whole, commitOf(base));
      const path = join(root, whole.prefix);
      // A project with nothing in it that git would keep.
      await mkdir(path, { recursive: true });
      const refs = id === record.id ? record.refs : [...new Set([base, ref])];
      const { notes } = await noted(own, { ref, notes: await notesKept(ownOf(record.id), ref) });
      return { path, base, refs, notes, repository: record.repository };
    },

    async diff(from, to) {
      const commits = [demandTaken(from), demandTaken(to)] as const;
      const place = placeOf(from.record);
      const alternates = [...place.alternates, join(ownOf(to.record.id), "git", "objects")];
      return gitDiff(git, { ...place, alternates }, commits, limits);
    },

    branch(of, order) {
      const place = placeOf(of.record);
      const { common } = repositoryOf(of.record);
      const deliver = (commits: readonly string[]) =>
        copyCommits(git, place, join(common, "objects"), commits);
      const began = async (base: string) => base;
      return offerBranch({ git, place, began, deliver, at: clock.now() }, of, order);
    },

    drop: ({ id }) => rm(rootOf(id), { recursive: true, force: true }),
    // What it kept is in its own directory, and goes with that.
    forget: async () => {},
  };
}

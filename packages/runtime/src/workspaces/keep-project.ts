import { existsSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { FairleadError } from "@fairlead/contract";
import type { Snapshot, Unkept, WorkspaceMethod } from "../ports/workspaces.ts";
import { packStock } from "./copy/pack-stock.ts";
import { openPacks } from "./copy/packs.ts";
import { deadlineIn, TooSlow } from "./deadline.ts";
import { gitStock } from "./git/git-stock.ts";
import { gitDirOf } from "./git/head-files.ts";
import { repositoryOf } from "./git/of-record.ts";
import { ownPlace } from "./git/own-store.ts";
import { findRepository } from "./git/repository.ts";
import { GitError } from "./git/run.ts";
import type { WorkspaceLimits } from "./limits.ts";
import { createMethods, type Methods, type MethodsDeps } from "./make.ts";
import type { Made, Making, Method, Taken } from "./method.ts";
import type { Records, WorkspaceRecord } from "./record.ts";
import { fittingOf, type Stock } from "./stock.ts";
import { createStoreBound } from "./store-size.ts";

export interface ProjectLimits extends Pick<WorkspaceLimits, "files" | "totalBytes" | "fileBytes"> {
  /** How long a look at it may take. */
  readonly patienceMs: number;
  /** What all that is kept for one session may come to, about: beyond it the oldest goes. */
  readonly storeBytes: number;
}

const MIB = 1024 * 1024;
/** Low: it is done while somebody waits for the answer. */
const PROJECT_LIMITS: ProjectLimits = {
  files: 20_000,
  totalBytes: 256 * MIB,
  fileBytes: 16 * MIB,
  patienceMs: 2_000,
  storeBytes: 512 * MIB,
};
/** A project that was too much is not looked at again for so long, whichever session works in it. */
const REST_MS = 3_600_000;
/** How much of a store that is full stays. */
const KEPT_OF_FULL = 0.5;

export interface ProjectKeeper {
  keep(order: ProjectOrder): Promise<Snapshot | Unkept>;
  /** How long somebody can be let wait for it. */
  readonly patienceMs: number;
}

export interface ProjectOrder {
  readonly id: string;
  readonly session_id: string;
  readonly source: string;
}

type About = Pick<
  WorkspaceRecord,
  "id" | "session_id" | "method" | "source" | "reason" | "restored_from" | "last"
>;

export interface ProjectKeeperDeps {
  readonly parts: Omit<MethodsDeps, "deadline">;
  readonly limits: Partial<ProjectLimits>;
  readonly records: Records;
  readonly recordOf: (made: Made, about: About) => WorkspaceRecord;
  readonly methodOf: (record: WorkspaceRecord, by: Methods) => Method;
  readonly noted: (record: WorkspaceRecord, taken: Taken) => Promise<Snapshot>;
}

/**
 * Keeps the files of projects that sessions work in. Somebody waits for it, so what is too much is not kept at all. A record
 * is written last: what was begun and not finished is cleared by the next.
 */
export function createProjectKeeper(deps: ProjectKeeperDeps): ProjectKeeper {
  const { parts, records, recordOf, methodOf, noted } = deps;
  const most = { ...PROJECT_LIMITS, ...deps.limits };
  const bound = createStoreBound(most.storeBytes, parts.ownOf);
  const resting = new Map<string, Unkept & { readonly until: number }>();

  function within(): Methods {
    const { patienceMs, storeBytes: _storeBytes, ...limits } = most;
    return createMethods({
      ...parts,
      limits: { ...parts.limits, ...limits },
      deadline: deadlineIn(patienceMs),
    });
  }

  async function begin({ id, session_id, source }: ProjectOrder): Promise<Snapshot> {
    const own = parts.ownOf(id);
    await rm(own, { recursive: true, force: true });
    try {
      const { made, method } = await watch(within(), { id, own, root: parts.rootOf(id) }, source);
      const { base } = made;
      const reason = "Keeps the files of the project, which the session works in.";
      const about = { id, session_id, method, source, reason, last: base, restored_from: null };
      await records.write({ ...recordOf(made, about), state: "removed", keeps: "project", store: "own" });
      return { workspace_id: id, ref: base, base, changed: true, notes: made.notes };
    } catch (error) {
      await rm(own, { recursive: true, force: true });
      throw error;
    }
  }

  function stockOf(record: WorkspaceRecord): Stock | undefined {
    const own = parts.ownOf(record.id);
    if (record.method === "copy") return packStock(openPacks(join(own, "objects")));
    const { git } = createMethods(parts).own.clones(record.source) ?? {};
    return git && gitStock(git, ownPlace(own, repositoryOf(record)));
  }

  /**
   * Makes room for about as much again: the oldest snapshots go first, but for what it began with, and the last one stays,
   * however large. Branches have their own of what they came from. The names go before what they name.
   */
  async function thin(record: WorkspaceRecord): Promise<void> {
    const { id, last, base } = record;
    const stock = stockOf(record);
    if (stock === undefined) return;
    const refs = [...new Set([last, base, ...records.newest(id)])];
    const fitting = await fittingOf(stock, refs, most.storeBytes * KEPT_OF_FULL);
    // What cannot be read now may be there again later.
    if (!fitting.includes(last)) return;
    await records.drop(
      id,
      refs.filter((ref) => !fitting.includes(ref)),
    );
    await stock.sweep(fitting);
    bound.shrank(id);
  }

  /** Where git cannot tell what may go, nothing does. */
  async function thinned(record: WorkspaceRecord): Promise<void> {
    try {
      await thin(record);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
    }
  }

  return {
    patienceMs: most.patienceMs,
    async keep(order) {
      const source = realpathSync(order.source);
      const rests = resting.get(source);
      if (rests !== undefined && parts.clock.now() < rests.until) return rests;
      try {
        const record = records.find(order.id);
        if (record === undefined || isBereft(record)) return await begin({ ...order, source });
        const kept = await noted(record, await methodOf(record, within()).snapshot(record, null));
        if (kept.changed) bound.grew(order.id);
        if (bound.isFull(order.id)) await thinned({ ...record, last: kept.ref });
        return kept;
      } catch (error) {
        const unkept = unkeptFor(error, most);
        if (unkept === undefined) throw error;
        resting.set(source, { ...unkept, until: parts.clock.now() + REST_MS });
        return unkept;
      }
    },
  };
}

/** What it kept goes on from commits in a repository that is not there any more, so none of it could be had. */
function isBereft({ repository }: WorkspaceRecord): boolean {
  return repository !== null && (!existsSync(repository.common) || gitDirOf(repository.top) === undefined);
}

/** In a store of git's where there is a repository; else, or where that fails, in one of our own making. */
async function watch(
  { own }: Methods,
  making: Making,
  source: string,
): Promise<{ readonly made: Made; readonly method: WorkspaceMethod }> {
  const clones = own.clones(source);
  const found = clones === undefined ? undefined : await findRepository(clones.git, source);
  if (clones !== undefined && found !== undefined && "repository" in found)
    try {
      return { made: await clones.method.watch(making, found.repository), method: "clone" };
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      await rm(making.own, { recursive: true, force: true });
    }
  return { made: await own.copies.watch(making, source), method: "copy" };
}

function unkeptFor(error: unknown, { files, totalBytes, patienceMs }: ProjectLimits): Unkept | undefined {
  if (error instanceof TooSlow)
    return {
      unkept: "too_slow",
      why: `To look at all of its files takes longer than ${patienceMs / 1_000} s.`,
    };
  if (!(error instanceof FairleadError) || error.code !== "workspace_too_large") return undefined;
  const megabytes = Math.floor(totalBytes / MIB);
  return {
    unkept: "too_large",
    why: `It has more than ${files.toLocaleString("en")} files, or more than ${megabytes} MB to be kept.`,
  };
}

import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { FairleadError } from "@fairlead/contract";
import type { Clock } from "../ports/clock.ts";
import type { WorkspaceFiles } from "../ports/workspace-files.ts";
import type {
  KeepOrder,
  Snapshot,
  SnapshotRef,
  Unkept,
  Workspace,
  WorkspaceDiff,
  Workspaces,
} from "../ports/workspaces.ts";
import { createObjects } from "./copy/objects.ts";
import { objectsOf } from "./copy/stored-tree.ts";
import { begunIn } from "./git/begun.ts";
import { GitError } from "./git/run.ts";
import { createHostName } from "./host.ts";
import { createAsKept } from "./as-kept.ts";
import { createInTurn } from "./in-turn.ts";
import { createLocks, Occupied } from "./lock.ts";
import { WORKSPACE_LIMITS, type WorkspaceLimits } from "./limits.ts";
import { createProjectKeeper, type ProjectLimits, type ProjectOrder } from "./keep-project.ts";
import { createMethods, make, type Methods } from "./make.ts";
import type { Made, Making, Method, Taken } from "./method.ts";
import { dropOrphans } from "./orphans.ts";
import { createRecords, type WorkspaceRecord } from "./record.ts";

export interface WorkspacesOptions {
  /** Where we keep what we know of them, and snapshots where there is no repository. Out of the reach of agents. */
  readonly dir: string;
  /** Where the files of workspaces are. Nothing else is there. Absolute, without symbolic links. */
  readonly places: string;
  readonly files: WorkspaceFiles;
  /** What is in no workspace and no snapshot: our data and keys. Absolute, without symbolic links. */
  readonly hidden: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly limits?: Partial<WorkspaceLimits>;
  /** False: background work writes in the project. */
  readonly isolate?: boolean;
  /** For the files of projects that sessions work in; without it, those are not kept. */
  readonly project?: Partial<ProjectLimits>;
}

/** For how long another process is waited for that works with the same. */
const PATIENCE_MS = 60_000;
/** An object this young may be about to be named by a snapshot. */
const YOUNG_MS = 24 * 3_600_000;

/** Makes nothing before it is needed. */
export function openWorkspaces({ dir, places, clock, ...options }: WorkspacesOptions): Workspaces {
  const limits = { ...WORKSPACE_LIMITS, ...options.limits };
  const records = createRecords(join(dir, "records"));
  const host = createHostName(dir);
  const objects = createObjects(join(dir, "objects"));
  const locked = createLocks(join(dir, "locks"));
  const inProcess = createInTurn();
  /** One after another, also where another process works on it: one that drove the session before may not know that it is over. */
  const inTurn = <T>(id: string, work: () => Promise<T>, patienceMs = PATIENCE_MS): Promise<T> =>
    inProcess(id, () => locked(id, patienceMs, () => told(id, work)));
  const rootOf = (id: string) => join(places, id);
  const parts = { ...options, objects, clock, limits, ownOf: records.dirOf, rootOf };
  const methods = createMethods(parts);
  const keeper =
    options.project === undefined
      ? undefined
      : createProjectKeeper({ parts, limits: options.project, records, recordOf, methodOf, noted });

  function methodOf({ method, source, id, store }: WorkspaceRecord, by: Methods = methods): Method {
    if (method === "copy") return store === "own" ? by.own.copies : by.copies;
    const worktrees = method === "clone" ? by.own.clones(source) : by.worktrees(source);
    if (worktrees === undefined) throw unavailable(id, "git is not installed any more.");
    return worktrees.method;
  }

  function demand(id: string): WorkspaceRecord {
    const record = records.find(id);
    if (record === undefined) throw unavailable(id, "There is none of this id on this machine.");
    return record;
  }

  function makingOf(id: string): Making {
    const own = records.dirOf(id);
    mkdirSync(places, { recursive: true, mode: 0o700 });
    return { id, own, root: rootOf(id) };
  }

  /** What a process left that was killed in the middle. */
  async function clear({ own, root }: Making): Promise<void> {
    await rm(own, { recursive: true, force: true });
    await rm(root, { recursive: true, force: true });
  }

  /** Where it is now: our directories may have been moved since it was made. */
  function shown(record: WorkspaceRecord): Workspace {
    const { refs: _refs, store: _store, repository, offered: _offered, ...workspace } = record;
    return { ...workspace, host: host.demand(), path: join(rootOf(record.id), repository?.prefix ?? "") };
  }

  function isThere(record: WorkspaceRecord): boolean {
    return record.state === "ready" && existsSync(shown(record).path);
  }

  async function keep(record: WorkspaceRecord): Promise<Workspace> {
    await records.write(record);
    return shown(record);
  }

  function recordOf(
    made: Made,
    about: Pick<
      WorkspaceRecord,
      "id" | "session_id" | "method" | "source" | "reason" | "restored_from" | "last" | "store"
    >,
  ): WorkspaceRecord {
    const created_at = new Date(clock.now()).toISOString();
    return { ...made, ...about, created_at, state: "ready", offered: null };
  }

  async function snapshot(id: string, inside = id): Promise<Snapshot> {
    const record = demand(id);
    return noted(record, await methodOf(record).snapshot(record, inside));
  }

  /** Of worktrees the repository has the snapshots. */
  async function noted(record: WorkspaceRecord, { ref, notes }: Taken): Promise<Snapshot> {
    const { id, base, last } = record;
    if (ref !== last && record.method !== "worktree") await records.note(id, ref);
    if (ref !== last) await records.write({ ...demand(id), last: ref });
    return { workspace_id: id, ref, base, changed: ref !== last, notes };
  }

  async function open(id: string): Promise<Workspace> {
    const record = demand(id);
    if (isThere(record)) return shown(record);
    await methodOf(record).restore(makingOf(id), { record, ref: record.last });
    return keep({ ...record, state: "ready" });
  }

  /** Of one that keeps what is elsewhere: nothing is made but where its snapshots go. */
  async function begin({ id, session_id, inside }: KeepOrder): Promise<void> {
    const of = demand(inside);
    const { method, source, last } = of;
    const making = makingOf(id);
    await clear(making);
    const made = await methodOf(of).share(making, of);
    const reason = "Keeps the files of a workspace that the session shares.";
    const about = { id, session_id, method, source, reason, last, restored_from: null, ...storeOf(of) };
    await records.write({ ...recordOf(made, about), state: "removed" });
  }

  async function sweep(): Promise<void> {
    const kept = new Set<string>();
    for (const { method, refs, store } of records.all())
      for (const ref of method === "copy" && store === undefined ? refs : [])
        for (const name of await objectsOf(objects, ref)) kept.add(name);
    await objects.sweep(kept, clock.now(), YOUNG_MS);
  }

  async function keepProject(order: ProjectOrder): Promise<Snapshot | Unkept | undefined> {
    if (keeper === undefined) return undefined;
    try {
      return await inTurn(order.id, () => keeper.keep(order), keeper.patienceMs);
    } catch (error) {
      if (!(error instanceof Occupied)) throw error;
      return { unkept: "too_slow", why: "Another process was looking at it for too long." };
    }
  }

  async function diff(from: SnapshotRef, to: SnapshotRef): Promise<WorkspaceDiff> {
    const [a, b] = [demand(from.workspace_id), demand(to.workspace_id)];
    if (a.method !== b.method || a.source !== b.source)
      throw unavailable(b.id, "The two are not of one project, and cannot be compared.");
    return told(a.id, () => methodOf(a).diff({ record: a, ref: from.ref }, { record: b, ref: to.ref }));
  }

  /** Of one that was never finished: what is in the user's repository. */
  async function letGo(id: string): Promise<void> {
    const begun = await begunIn(records.dirOf(id));
    if (begun === undefined) return;
    await methods.worktrees(begun.top)?.method.abandon({ id, root: rootOf(id) }, begun);
  }

  function forget(id: string): Promise<boolean> {
    return inTurn(id, async () => {
      const record = records.find(id);
      if (record === undefined) return true;
      const isShared = ({ restored_from }: WorkspaceRecord) => restored_from?.workspace_id === id;
      // What has a store of its own was handed on whole.
      if (record.store === undefined && records.all().some(isShared)) return false;
      await methodOf(record).drop(record);
      await methodOf(record).forget(record);
      await records.remove(id);
      if (record.method === "copy" && record.store === undefined) await sweep();
      return true;
    });
  }

  return {
    isolates: options.isolate !== false,
    host: host.find,
    open: (id) => inTurn(id, () => open(id)),
    find: async (id) => {
      const record = records.find(id);
      return record === undefined ? undefined : shown(record);
    },
    pathOf: rootOf,
    list: async () => records.all().map(shown),
    snapshot: (id) => inTurn(id, () => snapshot(id)),

    keep: (order) =>
      inTurn(order.id, async () => {
        if (records.find(order.id) === undefined) await begin(order);
        return snapshot(order.id, order.inside);
      }),

    keepProject,
    isAsKept: createAsKept(records, { keepProject, diff, forget }),
    diff,
    forget,

    prepare: ({ id, session_id, source: project }) =>
      inTurn(id, async () => {
        if (records.find(id) !== undefined) return open(id);
        const source = realpathSync(project);
        const making = makingOf(id);
        await clear(making);
        const { made, method, reason } = await make(methods, making, source);
        const last = made.base;
        return keep(recordOf(made, { id, session_id, method, source, reason, last, restored_from: null }));
      }),

    restore: ({ id, session_id, from }) =>
      inTurn(id, async () => {
        if (records.find(id) !== undefined) return open(id);
        const origin = demand(from.workspace_id);
        const { method, source } = origin;
        const making = makingOf(id);
        await clear(making);
        const by = methodOf(origin);
        const made = await by.restore(making, { record: origin, ref: from.ref }).catch(async (error) => {
          await by.drop({ ...origin, id });
          await clear(making);
          throw error;
        });
        const reason = `Prepared ${HOW[method]} with the files as they were at the fork.`;
        const own = storeOf(origin);
        const about = { id, session_id, method, source, reason, last: from.ref, restored_from: from, ...own };
        return keep(recordOf(made, about));
      }),

    offer: ({ id, ...order }) =>
      inTurn(id, async () => {
        if (isThere(demand(id))) await snapshot(id);
        const record = demand(id);
        const of = { record, ref: record.last };
        const diff = await methodOf(record).diff({ record, ref: record.base }, of);
        const made = await methodOf(record).branch(of, order);
        const { branch, commit } = made;
        if (branch !== null && commit !== null)
          await records.write({ ...record, offered: { branch, commit } });
        return { diff, from: record.base, to: record.last, ...made };
      }),

    async tidy() {
      const isKnown = (id: string) => records.find(id) !== undefined;
      const old = { isKnown, now: clock.now(), ageMs: YOUNG_MS };
      return (await dropOrphans(join(dir, "records"), { ...old, letGo })) + (await dropOrphans(places, old));
    },

    remove: (id) =>
      inTurn(id, async () => {
        const record = records.find(id);
        if (record === undefined || record.state === "removed") return;
        if (isThere(record)) await snapshot(id);
        await methodOf(record).drop(record);
        await records.write({ ...demand(id), state: "removed" });
      }),
  };
}

const HOW = { worktree: "a git worktree", clone: "a clone of the repository", copy: "a copy" } as const;

/** What is made from one with a store of its own has one too. */
function storeOf({ store }: WorkspaceRecord): Pick<WorkspaceRecord, "store"> {
  return store === undefined ? {} : { store };
}

/** What git says where it cannot is told to whoever asked: a repository can be broken, or have dropped what it had. */
async function told<T>(id: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof GitError ? unavailable(id, `${error.message}.`) : error;
  }
}

function unavailable(id: string, why: string): FairleadError {
  return new FairleadError("workspace_unavailable", {
    message: `The workspace cannot be used. ${why}`,
    details: { workspace_id: id },
  });
}

import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FairleadError } from "@fairlead/contract";
import type { Clock } from "../../ports/clock.ts";
import type { WorkspaceFiles } from "../../ports/workspace-files.ts";
import type { WorkspaceLimits } from "../limits.ts";
import type { Made, Making, Method } from "../method.ts";
import { treeDiff } from "./diff.ts";
import type { Objects } from "./objects.ts";
import { isNeverKept, mayBeSecret } from "../never-kept.ts";
import { keepNotes, notesKept } from "../notes-kept.ts";
import { objectsOf, readTree, storeTree } from "./stored-tree.ts";
import { type LookOptions, putTree, type Stamps, takeTree, type Tree } from "./tree.ts";

export interface CopiesDeps {
  /** Leaves out what `.gitignore` files do, git's own files, and what is ours. */
  readonly files: WorkspaceFiles;
  /** Where the snapshots of this workspace are. */
  readonly storeOf: (id: string) => Objects;
  readonly clock: Clock;
  readonly limits: WorkspaceLimits;
  readonly ownOf: (id: string) => string;
  readonly rootOf: (id: string) => string;
  /** Throws when nobody waits any longer for a look at a project. */
  readonly hurry?: () => void;
}

export interface Copies extends Method {
  prepare(making: Making, source: string): Promise<Made>;
  /** Begins to keep the files of a project that sessions work in. */
  watch(making: Making, source: string): Promise<Made>;
}

/** Copies of a project's files, with snapshots in a store of ours. For projects without a repository. */
export function createCopies(deps: CopiesDeps): Copies {
  const { storeOf, clock, limits, ownOf, rootOf, hurry } = deps;

  async function take(id: string, root: string, known: Stamps, look: LookOptions = {}) {
    const objects = storeOf(id);
    const own = ownOf(id);
    const { tree, stamps, notes } = await takeTree({ ...deps, objects }, root, known, clock.now(), look);
    const ref = await storeTree(objects, tree);
    objects.flush?.();
    await mkdir(own, { recursive: true, mode: 0o700 });
    await keepNotes(own, ref, notes);
    const file = join(own, "stamps.json");
    await writeFile(`${file}.new`, JSON.stringify(stamps));
    await rename(`${file}.new`, file);
    return { tree, ref, notes };
  }

  /** Of a project some files are never kept, and it is not looked at for as long as it takes. */
  const ofProject: LookOptions = { left: isNeverKept, ...(hurry === undefined ? {} : { hurry }) };

  /** Puts snapshots of one workspace where another has its own. */
  async function handOn(from: string, to: string, refs: readonly string[]): Promise<void> {
    const [theirs, ours] = [storeOf(from), storeOf(to)];
    if (from === to || theirs === ours) return;
    for (const ref of new Set(refs))
      for (const name of (await objectsOf(theirs, ref)).toReversed()) {
        const bytes = await theirs.get(name);
        if (bytes === undefined) throw new FairleadError("snapshot_not_found", { details: { ref } });
        await ours.put(bytes);
      }
    ours.flush?.();
  }

  async function fill({ root, id }: Making, tree: Tree): Promise<void> {
    await rm(root, { recursive: true, force: true });
    await mkdir(root, { recursive: true, mode: 0o700 });
    await putTree(storeOf(id), root, tree);
  }

  return {
    async prepare(making, source) {
      // Of the source nothing is remembered: the copy has other stamps.
      const { tree, ref, notes } = await take(making.id, source, {}, { left: mayBeSecret });
      await rm(join(making.own, "stamps.json"), { force: true });
      await fill(making, tree);
      return { path: making.root, base: ref, refs: [ref], notes, repository: null };
    },

    async watch({ id, root }, source) {
      const { ref, notes } = await take(id, source, {}, ofProject);
      return { path: root, base: ref, refs: [ref], notes, repository: null };
    },

    async snapshot({ id, source }, inside) {
      const root = inside === null ? source : rootOf(inside);
      if (!existsSync(root))
        throw new FairleadError("workspace_unavailable", { details: { workspace_id: id } });
      return take(id, root, await stampsOf(ownOf(id)), inside === null ? ofProject : {});
    },

    async share({ root, id }, { id: of, base, last }) {
      await handOn(of, id, [base, last]);
      return { path: root, base, refs: [base, last], notes: [], repository: null };
    },

    async restore(making, { record, ref }) {
      if (!record.refs.includes(ref))
        throw new FairleadError("snapshot_not_found", { details: { workspace_id: record.id, ref } });
      const base = record.keeps === "project" ? ref : record.base;
      await handOn(record.id, making.id, [base, ref]);
      await fill(making, await readTree(storeOf(making.id), ref));
      await rm(join(making.own, "stamps.json"), { force: true });
      const refs = record.id === making.id ? record.refs : [...new Set([base, ref])];
      const notes = await notesKept(ownOf(record.id), ref);
      await keepNotes(making.own, ref, notes);
      return { path: making.root, base, refs, notes, repository: null };
    },

    async diff(from, to) {
      for (const { record, ref } of [from, to])
        if (!record.refs.includes(ref))
          throw new FairleadError("snapshot_not_found", { details: { workspace_id: record.id, ref } });
      const [before, after] = [storeOf(from.record.id), storeOf(to.record.id)];
      const trees = [await readTree(before, from.ref), await readTree(after, to.ref)] as const;
      return treeDiff([before, after], trees, limits);
    },

    branch: async () => ({
      branch: null,
      commit: null,
      note: "The project has no repository that could hold a branch.",
    }),
    drop: ({ id }) => rm(rootOf(id), { recursive: true, force: true }),
    // Its objects go when nothing names them any more.
    forget: async () => {},
  };
}

async function stampsOf(own: string): Promise<Stamps> {
  try {
    return JSON.parse(await readFile(join(own, "stamps.json"), "utf8")) as Stamps;
  } catch {
    return {};
  }
}

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
import { putTree, type Stamps, takeTree, type Tree } from "./tree.ts";

export interface CopiesDeps {
  /** Leaves out what `.gitignore` files do, git's own files, and what is ours. */
  readonly files: WorkspaceFiles;
  readonly objects: Objects;
  readonly clock: Clock;
  readonly limits: WorkspaceLimits;
  readonly ownOf: (id: string) => string;
  readonly rootOf: (id: string) => string;
}

export interface Copies extends Method {
  prepare(making: Making, source: string): Promise<Made>;
}

const REF = /^tree:([0-9a-f]{64})$/;

/** The objects that a snapshot is made of: its tree, and what that names. */
export async function objectsOf(objects: Objects, ref: string): Promise<readonly string[]> {
  const tree = await readTree(objects, ref);
  const named = tree.flatMap((entry) => (entry.kind === "file" ? [entry.sha256] : []));
  return [REF.exec(ref)?.[1] ?? "", ...named];
}

/** Throws snapshot_not_found. */
async function readTree(objects: Objects, ref: string): Promise<Tree> {
  const bytes = await objects.get(REF.exec(ref)?.[1] ?? "");
  if (bytes === undefined) throw new FairleadError("snapshot_not_found", { details: { ref } });
  return JSON.parse(bytes.toString("utf8")) as Tree;
}

/** Copies of a project's files, with snapshots in a store of ours. For projects without a repository. */
export function createCopies(deps: CopiesDeps): Copies {
  const { objects, clock, limits, ownOf, rootOf } = deps;

  async function take(own: string, root: string, known: Stamps) {
    const { tree, stamps, notes } = await takeTree(deps, root, known, clock.now());
    const ref = `tree:${await objects.put(Buffer.from(JSON.stringify(tree)))}`;
    await mkdir(own, { recursive: true, mode: 0o700 });
    const file = join(own, "stamps.json");
    await writeFile(`${file}.new`, JSON.stringify(stamps));
    await rename(`${file}.new`, file);
    return { tree, ref, notes };
  }

  async function fill({ root }: Making, tree: Tree): Promise<void> {
    await rm(root, { recursive: true, force: true });
    await mkdir(root, { recursive: true, mode: 0o700 });
    await putTree(objects, root, tree);
  }

  return {
    async prepare(making, source) {
      // Of the source nothing is remembered: the copy has other stamps.
      const { tree, ref, notes } = await take(making.own, source, {});
      await rm(join(making.own, "stamps.json"), { force: true });
      await fill(making, tree);
      return { path: making.root, base: ref, refs: [ref], notes, repository: null };
    },

    async snapshot({ id }, inside) {
      const root = rootOf(inside);
      if (!existsSync(root))
        throw new FairleadError("workspace_unavailable", { details: { workspace_id: id } });
      return take(ownOf(id), root, await stampsOf(ownOf(id)));
    },

    async share({ root }, { base, last }) {
      return { path: root, base, refs: [base, last], notes: [], repository: null };
    },

    async restore(making, { record, ref }) {
      if (!record.refs.includes(ref))
        throw new FairleadError("snapshot_not_found", { details: { workspace_id: record.id, ref } });
      await fill(making, await readTree(objects, ref));
      await rm(join(making.own, "stamps.json"), { force: true });
      const refs = record.id === making.id ? record.refs : [record.base, ref];
      return { path: making.root, base: record.base, refs, notes: [], repository: null };
    },

    async diff(from, to) {
      for (const { record, ref } of [from, to])
        if (!record.refs.includes(ref))
          throw new FairleadError("snapshot_not_found", { details: { workspace_id: record.id, ref } });
      return treeDiff(objects, [await readTree(objects, from.ref), await readTree(objects, to.ref)], limits);
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

import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FairleadError } from "@fairlead/contract";
import type { Workspace } from "../ports/workspaces.ts";
import { keepNotes } from "./notes-kept.ts";
import { putFile } from "./put-file.ts";

/** What is kept of a workspace: what is told of it, and what its method needs to find it again. */
export interface WorkspaceRecord extends Omit<Workspace, "host"> {
  /** Its snapshots are in its own directory and nowhere else. */
  readonly store?: "own";
  /** Every snapshot that was taken; of worktrees the repository keeps them. One file each: none is lost to who knew of fewer. */
  readonly refs: readonly string[];
  readonly repository: RecordedRepository | null;
  /** The branch that was made, and what it pointed to. */
  readonly offered: { readonly branch: string; readonly commit: string } | null;
}

export interface RecordedRepository {
  readonly common: string;
  readonly top: string;
  readonly prefix: string;
}

/**
 * One directory a workspace, out of reach of the agent that works in it. The record is written last and whole: without
 * it whatever else lies there was never finished.
 */
export interface Records {
  /** Where a workspace's own things are kept: its index, what is known of its files. */
  dirOf(id: string): string;
  find(id: string): WorkspaceRecord | undefined;
  all(): readonly WorkspaceRecord[];
  write(record: WorkspaceRecord): Promise<void>;
  /** Adds a snapshot to those that were taken. */
  note(id: string, ref: string): Promise<void>;
  /** Those that were taken, the last first. */
  newest(id: string): readonly string[];
  /** Takes snapshots from those that were taken. */
  drop(id: string, refs: readonly string[]): Promise<void>;
  remove(id: string): Promise<void>;
}

const NAME = "workspace.json";
const REFS = "refs";
const ID = /^[A-Za-z0-9_-]{1,100}$/;

export function createRecords(dir: string): Records {
  function dirOf(id: string): string {
    // It becomes a name of files and of a branch.
    if (!ID.test(id)) throw new FairleadError("workspace_unavailable", { details: { workspace_id: id } });
    return join(dir, id);
  }

  function find(id: string): WorkspaceRecord | undefined {
    const file = join(dirOf(id), NAME);
    if (!existsSync(file)) return undefined;
    const record = JSON.parse(readFileSync(file, "utf8")) as WorkspaceRecord;
    return { ...record, refs: [...new Set([...record.refs, ...notedOf(id)])] };
  }

  function notedOf(id: string): readonly string[] {
    const dir = join(dirOf(id), REFS);
    return existsSync(dir) ? readdirSync(dir).map((name) => name.replace("-", ":")) : [];
  }

  /** Written again each time that the files are so, after they were otherwise. */
  function ageOf(id: string, ref: string): bigint {
    const place = join(dirOf(id), REFS, ref.replace(":", "-"));
    return statSync(place, { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? 0n;
  }

  async function note(id: string, ref: string): Promise<void> {
    const dir = join(dirOf(id), REFS);
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await writeFile(join(dir, ref.replace(":", "-")), "", { mode: 0o600 });
  }

  return {
    dirOf,
    find,
    all() {
      if (!existsSync(dir)) return [];
      return readdirSync(dir)
        .filter((id) => ID.test(id))
        .flatMap((id) => find(id) ?? []);
    },
    note,
    newest(id) {
      const aged = notedOf(id).map((ref) => ({ ref, age: ageOf(id, ref) }));
      return aged.toSorted((a, b) => Number(b.age - a.age)).map(({ ref }) => ref);
    },
    async drop(id, refs) {
      for (const ref of refs) {
        await rm(join(dirOf(id), REFS, ref.replace(":", "-")), { force: true });
        await keepNotes(dirOf(id), ref, []);
      }
    },
    async write({ refs, ...record }) {
      const own = dirOf(record.id);
      await mkdir(own, { recursive: true, mode: 0o700 });
      const noted = notedOf(record.id);
      for (const ref of refs) if (!noted.includes(ref)) await note(record.id, ref);
      const draft = join(own, `${NAME}.${randomBytes(4).toString("hex")}`);
      const text = JSON.stringify({ ...record, refs: [] });
      await putFile(join(own, NAME), Buffer.from(text), { draft, mode: 0o600 });
    },
    remove: (id) => rm(dirOf(id), { recursive: true, force: true }),
  };
}

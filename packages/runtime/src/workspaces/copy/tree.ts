import { lstatSync, readlinkSync } from "node:fs";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { FairleadError } from "@fairlead/contract";
import type { WalkOptions, WorkspaceFiles } from "../../ports/workspace-files.ts";
import { type WorkspaceLimits, someOf } from "../limits.ts";
import { isMadeAgain } from "../never-kept.ts";
import type { Objects } from "./objects.ts";

/** What is at a path: the bytes of a file, the target of a link, or an empty directory. */
export type TreeEntry =
  | { readonly path: string; readonly kind: "file"; readonly sha256: string; readonly executable: boolean }
  | { readonly path: string; readonly kind: "link"; readonly target: string }
  | { readonly path: string; readonly kind: "directory" };

export type Tree = readonly TreeEntry[];

/** What was known of files when they were last read: by path, their stamp and hash. */
export type Stamps = Readonly<Record<string, readonly [stamp: string, sha256: string]>>;

export interface Looked {
  readonly tree: Tree;
  readonly stamps: Stamps;
  readonly notes: readonly string[];
}

export interface LookOptions extends Pick<WalkOptions, "left"> {
  /** Throws when nobody waits any longer. */
  readonly hurry?: () => void;
}

/** A change this soon after another may leave no other stamp: such files are read again the next time. */
const RACY_MS = 2_000;
/** Files are read without a pause; after so long others get their turn. */
const AT_ONCE_MS = 10;

/** Reads a directory into the store. Files whose stamp is known are not read again. */
export async function takeTree(
  { files, objects, limits }: { files: WorkspaceFiles; objects: Objects; limits: WorkspaceLimits },
  root: string,
  known: Stamps,
  now: number,
  { hurry = () => {}, left }: LookOptions = {},
): Promise<Looked> {
  const tree: TreeEntry[] = [];
  const stamps: Record<string, readonly [string, string]> = {};
  const large: string[] = [];
  const missed: string[] = [];
  const never: string[] = [];
  const leave = (path: string) => {
    const isLeft = left?.(path) ?? false;
    if (isLeft && !isMadeAgain(path)) never.push(path);
    return isLeft;
  };
  let total = 0;
  let breathed = performance.now();
  const signal = new AbortController().signal;
  for await (const entry of files.walk({ workspace: root, path: "" }, { left: leave, signal })) {
    const { path, type, stamp, bytes } = entry;
    hurry();
    if (performance.now() - breathed > AT_ONCE_MS) {
      await new Promise<void>((resolve) => void setImmediate(resolve));
      breathed = performance.now();
    }
    if (tree.length >= limits.files) throw tooLarge(total, tree.length, limits);
    if (type === "directory") tree.push({ path, kind: "directory" });
    if (type === "link") {
      const target = targetOf(join(root, path));
      if (target !== undefined) tree.push({ path, kind: "link", target });
    }
    if (type !== "file") continue;
    if (bytes > limits.fileBytes) {
      large.push(path);
      continue;
    }
    total += bytes;
    if (total > limits.totalBytes) throw tooLarge(total, tree.length, limits);
    const before = known[path];
    const same = before !== undefined && before[0] === stamp && objects.has(before[1]);
    const content = same ? undefined : entry.read(limits.fileBytes);
    if (!same && content === undefined) {
      missed.push(path);
      continue;
    }
    const sha256 = content === undefined ? (before?.[1] ?? "") : await objects.put(content);
    const mode = lstatSync(join(root, path), { throwIfNoEntry: false })?.mode ?? 0;
    tree.push({ path, kind: "file", sha256, executable: (mode & 0o100) !== 0 });
    if (now - entry.changedAt > RACY_MS) stamps[path] = [stamp, sha256];
  }
  return {
    tree,
    stamps,
    notes: [
      ...(large.length === 0 ? [] : [`Files that are too large are left out: ${someOf(large)}.`]),
      ...(never.length === 0 ? [] : [`Files that may hold secrets are left out: ${someOf(never)}.`]),
      ...(missed.length === 0 ? [] : [`Files that cannot be read are left out: ${someOf(missed)}.`]),
    ],
  };
}

/** Writes a tree into an empty directory. Throws snapshot_not_found where a file's bytes are not there. */
export async function putTree(objects: Objects, root: string, tree: Tree): Promise<void> {
  // Links last: nothing is written through one.
  const links = tree.filter((entry) => entry.kind === "link");
  for (const entry of tree.filter(({ kind }) => kind !== "link")) {
    const place = join(root, entry.path);
    if (entry.kind === "directory") await mkdir(place, { recursive: true });
    if (entry.kind !== "file") continue;
    const bytes = await objects.get(entry.sha256);
    if (bytes === undefined) throw new FairleadError("snapshot_not_found", { details: { path: entry.path } });
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, bytes, { flag: "wx" });
    if (entry.executable) await chmod(place, 0o755);
  }
  for (const entry of links)
    if (entry.kind === "link") {
      await mkdir(dirname(join(root, entry.path)), { recursive: true });
      await symlink(entry.target, join(root, entry.path));
    }
}

function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function tooLarge(bytes: number, files: number, limits: WorkspaceLimits): FairleadError {
  return new FairleadError("workspace_too_large", {
    details: { bytes, files, most_bytes: limits.totalBytes, most_files: limits.files },
  });
}

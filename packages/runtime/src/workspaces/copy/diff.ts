import { createTwoFilesPatch } from "diff";
import type { ChangedFile, WorkspaceDiff } from "../../ports/workspaces.ts";
import type { WorkspaceLimits } from "../limits.ts";
import type { Objects } from "./objects.ts";
import type { Tree, TreeEntry } from "./tree.ts";

/** Comparing very different large files takes too long for somebody who waits. */
const PATIENCE_MS = 2_000;

/** What leads from one tree to the other. Directories are only as much as what is in them. */
export async function treeDiff(
  [theirs, ours]: readonly [Objects, Objects],
  [from, to]: readonly [Tree, Tree],
  { diffBytes, diffFiles }: WorkspaceLimits,
): Promise<WorkspaceDiff> {
  const [before, after] = [byPath(from), byPath(to)];
  const paths = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  const changed = paths.filter((path) => nameOf(before.get(path)) !== nameOf(after.get(path)));
  const files: ChangedFile[] = [];
  let text = "";
  let truncated = changed.length > diffFiles;
  for (const path of changed.slice(0, diffFiles)) {
    const [old, now] = [before.get(path), after.get(path)];
    const status = old === undefined ? "added" : now === undefined ? "deleted" : "modified";
    const patch = patchOf(path, await textOf(theirs, old), await textOf(ours, now));
    files.push({ path, status, added: patch.added, removed: patch.removed });
    if (text.length + patch.text.length > diffBytes) truncated = true;
    else text += patch.text;
  }
  return { files, text, truncated };
}

function byPath(tree: Tree): Map<string, TreeEntry> {
  return new Map(tree.filter(({ kind }) => kind !== "directory").map((entry) => [entry.path, entry]));
}

function nameOf(entry: TreeEntry | undefined): string {
  if (entry === undefined || entry.kind === "directory") return "";
  return entry.kind === "link" ? `link ${entry.target}` : `file ${entry.sha256} ${entry.executable}`;
}

/** Undefined: not text. Null: nothing there. */
async function textOf(objects: Objects, entry: TreeEntry | undefined): Promise<string | undefined | null> {
  if (entry === undefined || entry.kind === "directory") return null;
  if (entry.kind === "link") return entry.target;
  const bytes = await objects.get(entry.sha256);
  if (bytes === undefined || bytes.includes(0)) return undefined;
  return bytes.toString("utf8");
}

interface Patch {
  readonly text: string;
  readonly added: number | null;
  readonly removed: number | null;
}

function patchOf(path: string, old: string | undefined | null, now: string | undefined | null): Patch {
  const [a, b] = [old === null ? "/dev/null" : `a/${path}`, now === null ? "/dev/null" : `b/${path}`];
  if (old === undefined || now === undefined)
    return { text: `Binary files ${quoted(a)} and ${quoted(b)} differ\n`, added: null, removed: null };
  const patch = createTwoFilesPatch(quoted(a), quoted(b), old ?? "", now ?? "", undefined, undefined, {
    context: 3,
    timeout: PATIENCE_MS,
  });
  if (patch === undefined)
    return { text: `${quoted(b)} changed too much to be shown\n`, added: null, removed: null };
  const lines = patch.split("\n").slice(4);
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return { text: patch.replace(/^=+\n/, ""), added: count("+"), removed: count("-") };
}

/** A name with a line break in it must not look like lines of the diff. */
function quoted(path: string): string {
  // oxlint-disable-next-line no-control-regex
  return /[\u0000-\u001f"\\]/.test(path) ? JSON.stringify(path) : path;
}

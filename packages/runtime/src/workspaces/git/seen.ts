import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, statSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Place } from "./enter.ts";
import { at } from "./working-tree.ts";

/** What git stores of a file. */
export interface Entry {
  readonly mode: string;
  readonly object: string;
}

/** What is remembered of files from look to look. It only saves time, and is thrown away where it does not fit. */
export interface Seen {
  /** Files that are as they were: they need not be read again. */
  readonly known: ReadonlyMap<string, Entry>;
  /** The tree of the last look, where nothing at all is other than it was then. */
  readonly tree: string | undefined;
  /** Remembers this look; `whole`: nothing that it should have is missing from the tree. */
  keep(tree: string, entries: Iterable<readonly [string, Entry]>, whole: boolean): Promise<void>;
}

interface Stored {
  readonly about: string;
  readonly look: string;
  readonly tree: string;
  /** By path, which can be any word, also one that every object knows. */
  readonly files: ReadonlyMap<string, Known>;
}

type Known = readonly [stamp: string, mode: string, object: string];

interface Stamp {
  readonly text: string;
  /** Nanoseconds since the epoch. */
  readonly changed: bigint;
  readonly bytes: number;
}

/** To read fewer again takes less time than to ask git what they are. */
const FEW = { files: 200, bytes: 4 * 1024 * 1024 };
const MS = 1_000_000n;
const SECOND = 1_000n * MS;
/** A change this soon after another may leave no other stamp: such files are read again the next time. */
const RACY = 100n * MS;
/** The same, where times are kept in whole seconds. */
const RACY_COARSE = 2n * SECOND;

export function seenFile(index: string): string {
  return `${index}.seen`;
}

/**
 * What is known of these files, by their stamps; undefined where there are too few to be worth it. `scratch` was written just
 * before: its age says what time it was when we looked, by the clock that gives files their times.
 */
export async function recall(
  { gitDir, objects, index, workTree }: Place,
  scratch: string,
  { gone, entering }: { readonly gone: readonly string[]; readonly entering: readonly string[] },
  committed: string | undefined,
): Promise<Seen | undefined> {
  const now = statSync(scratch, { bigint: true }).mtimeNs;
  const stamps = new Map<string, Stamp>();
  let bytes = 0;
  for (const path of entering) {
    const stamp = stampOf(at(workTree, path));
    if (stamp === undefined) continue;
    stamps.set(path, stamp);
    bytes += stamp.bytes;
  }
  if (stamps.size < FEW.files && bytes < FEW.bytes) return undefined;

  const file = seenFile(index);
  // How files are stored is up to it, such as whether their mode counts.
  const about = readFileSync(join(gitDir, "config"), "utf8");
  const stored = await storedIn(file);
  const fits = stored?.about === about ? stored : undefined;
  const known = new Map<string, Entry>();
  for (const [path, { text }] of stamps) {
    const [stamp, mode, object] = fits?.files.get(path) ?? [];
    if (stamp === text && mode !== undefined && object !== undefined && isIn(objects, object))
      known.set(path, { mode, object });
  }
  const look = nameOf([committed ?? "", gone, entering]);
  const all = fits !== undefined && known.size === entering.length && fits.look === look;
  const same = all && (fits.tree === committed || isIn(objects, fits.tree));
  return {
    known,
    tree: same ? fits.tree : undefined,
    async keep(tree, entries, whole) {
      const files = new Map<string, Known>();
      for (const [path, { mode, object }] of [...known, ...entries]) {
        const stamp = stamps.get(path);
        if (stamp !== undefined && isSettled(stamp, now)) files.set(path, [stamp.text, mode, object]);
      }
      const kept: Stored = { about, look: whole ? look : "", tree, files };
      await writeFile(`${file}.new`, JSON.stringify({ ...kept, files: Object.fromEntries(files) }), {
        mode: 0o600,
      });
      await rename(`${file}.new`, file);
    },
  };
}

function isIn(objects: string, object: string): boolean {
  return existsSync(join(objects, object.slice(0, 2), object.slice(2)));
}

/** Taken before the file is read: what changes it after that leaves another. */
function stampOf(place: Buffer): Stamp | undefined {
  const stats = lstatSync(place, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const { dev, ino, size, mode, mtimeNs, ctimeNs } = stats;
  const text = [dev, ino, size, mode, mtimeNs, ctimeNs].join(" ");
  return { text, changed: mtimeNs > ctimeNs ? mtimeNs : ctimeNs, bytes: Number(size) };
}

function isSettled({ changed }: Stamp, now: bigint): boolean {
  return now - changed > (changed % SECOND === 0n ? RACY_COARSE : RACY);
}

async function storedIn(file: string): Promise<Stored | undefined> {
  try {
    const said = JSON.parse(await readFile(file, "utf8")) as Omit<Stored, "files"> & {
      readonly files: Readonly<Record<string, Known>>;
    };
    return { ...said, files: new Map(Object.entries(said.files)) };
  } catch {
    return undefined;
  }
}

function nameOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

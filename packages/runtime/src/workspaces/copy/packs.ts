import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { hashOf, type Objects } from "./objects.ts";

export interface Packs extends Objects {
  /** Writes what was put since. Before that it is only here. */
  flush(): void;
  /** How large it is; 0 where it is not there. */
  bytesOf(sha256: string): number;
  /** Drops all but these. */
  keepOnly(names: ReadonlySet<string>): void;
}

interface Spot {
  readonly pack: string;
  readonly at: number;
  readonly bytes: number;
}

type Index = Readonly<Record<string, readonly [at: number, bytes: number]>>;

const INDEX = ".json";
/** What is put is written when it comes to so much. */
const BUFFERED = 16 * 1024 * 1024;

/** A pack smaller than this is small, and when there are so many of them they become one: each look opens every index. */
const SMALL = 4 * 1024 * 1024;
const MANY = 24;

/**
 * Bytes by their SHA-256, many in a file: for what is kept while somebody waits, where a file for each would take longer
 * than all else. A pack counts once its index is there, which is written last and whole. It is not waited for until it is
 * on the disk: a machine that loses its power may lose it, and that shows when it is read. One writes at a time; who reads
 * meanwhile looks again where packs were made into one.
 */
export function openPacks(dir: string): Packs {
  let spots = new Map<string, Spot>();
  let waiting = new Map<string, Uint8Array>();
  let size = 0;
  reload();

  function reload(): void {
    spots = new Map();
    for (const pack of packsIn(dir)) learn(pack, readIndex(join(dir, `${pack}${INDEX}`)));
  }

  function learn(pack: string, index: Index): void {
    for (const [sha256, [at, bytes]] of Object.entries(index)) spots.set(sha256, { pack, at, bytes });
  }

  function flush(): void {
    if (waiting.size === 0) return;
    flushOnly();
    merge();
  }

  function flushOnly(): void {
    if (waiting.size === 0) return;
    learn(...writePack(dir, waiting));
    waiting = new Map();
    size = 0;
  }

  /** What was written is there twice before it is there once. What cannot be read is left where it is. */
  function merge(): void {
    const small = packsIn(dir).filter((pack) => bytesIn(join(dir, pack)) < SMALL);
    if (small.length < MANY) return;
    const all = new Map<string, Uint8Array>();
    const whole: string[] = [];
    for (const pack of small) {
      const found = namesIn(pack).map((sha256) => [sha256, had(sha256)] as const);
      if (found.some(([, bytes]) => bytes === undefined)) continue;
      for (const [sha256, bytes] of found) if (bytes !== undefined) all.set(sha256, bytes);
      whole.push(pack);
    }
    if (whole.length < 2) return;
    learn(...writePack(dir, all));
    drop(whole);
  }

  /** Packs of which everything is kept stay as they are; of the others what is kept is written anew first. */
  function keepOnly(kept: ReadonlySet<string>): void {
    flush();
    const partly = packsIn(dir).filter((pack) => namesIn(pack).some((name) => !kept.has(name)));
    for (const pack of partly)
      for (const name of namesIn(pack)) {
        const bytes = kept.has(name) && spots.get(name)?.pack === pack ? had(name) : undefined;
        if (bytes === undefined) continue;
        waiting.set(name, bytes);
        size += bytes.length;
        if (size >= BUFFERED) flushOnly();
      }
    flushOnly();
    drop(partly);
    reload();
  }

  function namesIn(pack: string): readonly string[] {
    return Object.keys(readIndex(join(dir, `${pack}${INDEX}`)));
  }

  function drop(packs: readonly string[]): void {
    for (const pack of packs)
      for (const name of [`${pack}${INDEX}`, pack]) rmSync(join(dir, name), { force: true });
  }

  function had(sha256: string): Buffer | undefined {
    const spot = spots.get(sha256);
    const bytes = spot && readSpot(dir, spot);
    return bytes !== undefined && hashOf(bytes) === sha256 ? bytes : undefined;
  }

  return {
    flush,
    has: (sha256) => waiting.has(sha256) || spots.has(sha256),
    async put(bytes) {
      const sha256 = hashOf(bytes);
      if (waiting.has(sha256) || spots.has(sha256)) return sha256;
      // The caller may use its bytes again.
      waiting.set(sha256, Uint8Array.from(bytes));
      size += bytes.length;
      if (size >= BUFFERED) flush();
      return sha256;
    },
    async get(sha256) {
      const held = waiting.get(sha256);
      if (held !== undefined) return Buffer.from(held);
      const found = had(sha256);
      if (found !== undefined) return found;
      reload();
      return had(sha256);
    },
    bytesOf: (sha256) => waiting.get(sha256)?.length ?? spots.get(sha256)?.bytes ?? 0,
    keepOnly,
    // They go with the directory, all at once, or by `keepOnly`.
    sweep: async () => 0,
  };
}

function writePack(dir: string, objects: ReadonlyMap<string, Uint8Array>): [pack: string, index: Index] {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const pack = randomBytes(8).toString("hex");
  const index: Record<string, [number, number]> = {};
  let at = 0;
  for (const [sha256, { length }] of objects) {
    index[sha256] = [at, length];
    at += length;
  }
  writeFileSync(join(dir, pack), Buffer.concat([...objects.values()]), { flag: "wx", mode: 0o600 });
  const draft = join(dir, `${pack}.new`);
  writeFileSync(draft, JSON.stringify(index), { flag: "wx", mode: 0o600 });
  renameSync(draft, join(dir, `${pack}${INDEX}`));
  return [pack, index];
}

function packsIn(dir: string): readonly string[] {
  const names = existsSync(dir) ? readdirSync(dir) : [];
  return names.filter((name) => name.endsWith(INDEX)).map((name) => name.slice(0, -INDEX.length));
}

function bytesIn(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY;
}

function readSpot(dir: string, { pack, at, bytes }: Spot): Buffer | undefined {
  const buffer = Buffer.alloc(bytes);
  try {
    const file = openSync(join(dir, pack), "r");
    try {
      return readSync(file, buffer, 0, bytes, at) === bytes ? buffer : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** One that cannot be read holds nothing that could be had. */
function readIndex(file: string): Index {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Index;
  } catch {
    return {};
  }
}

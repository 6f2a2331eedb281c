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
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { hashOf, type Objects } from "./objects.ts";

export interface Packs extends Objects {
  /** Writes what was put since. Before that it is only here. */
  flush(): void;
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

/**
 * Bytes by their SHA-256, many in a file: for what is kept while somebody waits, where a file for each would take longer
 * than all else. A pack counts once its index is there, which is written last and whole. It is not waited for until it is
 * on the disk: a machine that loses its power may lose it, and that shows when it is read.
 */
export function openPacks(dir: string): Packs {
  const spots = new Map<string, Spot>();
  let waiting = new Map<string, Uint8Array>();
  let size = 0;
  for (const name of existsSync(dir) ? readdirSync(dir) : [])
    if (name.endsWith(INDEX)) learn(name.slice(0, -INDEX.length), readIndex(join(dir, name)));

  function learn(pack: string, index: Index): void {
    for (const [sha256, [at, bytes]] of Object.entries(index)) spots.set(sha256, { pack, at, bytes });
  }

  function flush(): void {
    if (waiting.size === 0) return;
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const pack = randomBytes(8).toString("hex");
    const index: Record<string, [number, number]> = {};
    let at = 0;
    for (const [sha256, { length }] of waiting) {
      index[sha256] = [at, length];
      at += length;
    }
    writeFileSync(join(dir, pack), Buffer.concat([...waiting.values()]), { flag: "wx", mode: 0o600 });
    const draft = join(dir, `${pack}.new`);
    writeFileSync(draft, JSON.stringify(index), { flag: "wx", mode: 0o600 });
    renameSync(draft, join(dir, `${pack}${INDEX}`));
    learn(pack, index);
    waiting = new Map();
    size = 0;
  }

  function read({ pack, at, bytes }: Spot): Buffer | undefined {
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
      const spot = spots.get(sha256);
      const bytes = spot === undefined ? waiting.get(sha256) : read(spot);
      return bytes !== undefined && hashOf(bytes) === sha256 ? Buffer.from(bytes) : undefined;
    },
    // They go with the directory, all at once.
    sweep: async () => 0,
  };
}

/** One that cannot be read holds nothing that could be had. */
function readIndex(file: string): Index {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Index;
  } catch {
    return {};
  }
}

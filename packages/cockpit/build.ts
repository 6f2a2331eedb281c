// Builds the page once for its sources; the next start finds it. Node only.
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const HERE = import.meta.dirname;
const DIST = join(HERE, "dist");
/** All that the page is made of. */
const SOURCES = [
  "index.html",
  "package.json",
  "vite.config.ts",
  "build.ts",
  "src/**/*",
  "../client/src/**/*.ts",
  "../contract/src/**/*.ts",
  "../ahp/src/**/*.ts",
];
const PACKED = /\.(js|css|html|svg)$/;

export interface BuildOptions {
  /** Told once, when there is something to do. */
  readonly progress?: (text: string) => void;
}

/** The directory of the built page. Any number of processes may ask at once: each finds a whole one. */
export async function buildCockpit({ progress }: BuildOptions = {}): Promise<string> {
  const target = join(DIST, sourceHash());
  if (existsSync(join(target, "index.html"))) return target;
  progress?.("Building the web page, once (a few seconds) …");
  mkdirSync(DIST, { recursive: true });
  const made = mkdtempSync(join(DIST, ".making-"));
  const before = process.env["NODE_ENV"];
  // What it is says which React is built in, also when a test asks.
  process.env["NODE_ENV"] = "production";
  try {
    const { build } = await import("vite");
    await build({
      configFile: join(HERE, "vite.config.ts"),
      mode: "production",
      logLevel: "error",
      build: { outDir: made, emptyOutDir: true },
    });
    pack(made);
    // Built by who installs, and read by who serves: a temporary directory is for its owner alone.
    chmodSync(made, 0o755);
    settle(made, target);
  } finally {
    if (before === undefined) delete process.env["NODE_ENV"];
    else process.env["NODE_ENV"] = before;
    rmSync(made, { recursive: true, force: true });
  }
  forget(target);
  return target;
}

function sourceHash(): string {
  const hash = createHash("sha256");
  const files = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: HERE, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  for (const file of files) hash.update(file.slice(HERE.length)).update("\0").update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}

function pack(directory: string): void {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !PACKED.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

/** Somebody else may have been faster: theirs is the same. */
function settle(made: string, target: string): void {
  try {
    renameSync(made, target);
  } catch (error) {
    if (!existsSync(join(target, "index.html"))) throw error;
  }
}

/** Servers hold theirs in memory: nobody reads what older sources made. */
function forget(target: string): void {
  for (const entry of readdirSync(DIST)) {
    if (entry.startsWith(".") || join(DIST, entry) === target) continue;
    rmSync(join(DIST, entry), { recursive: true, force: true });
  }
}

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Builds the package as it would be published: `build.ts [FOLDER]`, into `dist` unless named. */
const root = fileURLToPath(new URL("..", import.meta.url));
const out = resolve(process.argv[2] ?? join(root, "dist"));
const compiler = fileURLToPath(new URL("bin/tsc", import.meta.resolve("typescript-native/package.json")));

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
compile();
writeFileSync(join(out, "package.json"), `${JSON.stringify(publishedManifest(), null, 2)}\n`);
for (const file of ["README.md"]) copyFileSync(join(root, file), join(out, file));

function compile(): void {
  const settings = {
    target: "es2024",
    lib: ["es2024", "dom", "dom.iterable"],
    module: "nodenext",
    types: ["node"],
    strict: true,
    skipLibCheck: true,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
    declaration: true,
    rootDir: join(root, "src"),
    outDir: join(out, "lib"),
  };
  const project = join(root, `tsconfig.build-${process.pid}.json`);
  writeFileSync(project, JSON.stringify({ compilerOptions: settings, include: ["src"] }));
  try {
    execFileSync(process.execPath, [compiler, "-p", project], { stdio: "inherit" });
  } finally {
    rmSync(project);
  }
}

type Entry = string | { [condition: string]: Entry };

/** The manifest of the sources, with every entry turned from source to built file and types. */
function publishedManifest(): Record<string, unknown> {
  const source = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<string, unknown>;
  const { private: _private, exports, ...manifest } = source;
  return { ...manifest, files: ["lib"], engines: { node: ">=22" }, exports: built(exports as Entry) };
}

function built(entry: Entry): unknown {
  if (typeof entry === "string") {
    const file = entry.replace(/^\.\/src\//, "./lib/").replace(/\.ts$/, "");
    return { types: `${file}.d.ts`, default: `${file}.js` };
  }
  return Object.fromEntries(Object.entries(entry).map(([name, inner]) => [name, built(inner)]));
}

import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { editFile } from "../../src/tools/edit-file.ts";
import { listFiles } from "../../src/tools/list-files.ts";
import { localSearch } from "../../src/tools/local-search.ts";
import { readFile } from "../../src/tools/read-file.ts";
import { writeFile } from "../../src/tools/write-file.ts";
import { attempt, tree } from "./support.ts";

const SECRET = "S3CRET-KEPT";
/** The workspace, below the top. */
const OPEN = "/1/2/3/workspace/";

/** Few names, so that they meet. */
const name = fc.constantFrom(
  "a",
  "b",
  "c",
  "link",
  "workspace",
  "outer",
  "secret",
  ".git",
  ".GIT",
  ".fairlead",
);
const step = fc.oneof(
  { weight: 12, arbitrary: name },
  { weight: 3, arbitrary: fc.constantFrom("..", ".", "", "a\\..", "..\\", "~", "%2e%2e", "…", "a\u0000b") },
  { weight: 1, arbitrary: fc.string({ maxLength: 5 }) },
);
const path = fc
  .tuple(
    // Never to what is really there: where containment breaks, this test writes.
    fc.constantFrom("", "", "", "", "", "", "./", "OUTSIDE/", "/proc/self/rootOUTSIDE/"),
    fc.array(step, { minLength: 1, maxLength: 4 }),
  )
  .map(([start, steps]) => start + steps.join("/"));

/** Where a link of the workspace leads: inside or out, there or not. */
const target = fc.oneof(
  fc
    .array(fc.constantFrom("..", "a", "b", "link", "secret", "outer"), { minLength: 1, maxLength: 4 })
    .map((steps) => steps.join("/")),
  fc.constantFrom("OUTSIDE", "OUTSIDE/outer", "OUTSIDE/secret", "OUTSIDE/new", ".", ".git", ".fairlead"),
);
/** Where links are put, and so where calls go. */
const spot = fc.constantFrom("link", "link2", "c", "a/in", "a/in2");
const made = fc.record({
  kind: fc.constantFrom("link", "link", "link", "directory", "hard"),
  spot,
  target,
});
const through = fc
  .tuple(
    spot,
    fc.array(fc.constantFrom("secret", "outer", "a", "b", "new", "..", "in", "link"), { maxLength: 3 }),
  )
  .map(([start, steps]) => [start, ...steps].join("/"));
const call = fc.record({
  tool: fc.constantFrom("read", "write", "edit", "list", "search"),
  path: fc.oneof(path, through, through),
});

it("never reads, makes or changes anything outside, whatever the paths and links", async () => {
  let inside = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(made, { maxLength: 8 }),
      fc.array(call, { minLength: 1, maxLength: 8 }),
      async (things, calls) => {
        using t = tree({ hidden: [".fairlead"] });
        mkdirSync(join(t.outside, "outer"));
        writeFileSync(join(t.outside, "secret"), SECRET);
        writeFileSync(join(t.outside, "outer/a"), SECRET);
        t.put(".git/config", SECRET);
        t.put(".fairlead/secret", SECRET);
        for (const file of ["a/b", "a/a/a", "b"]) t.put(file, "plain");
        for (const thing of things) make(t.workspace, t.outside, thing);
        const before = picture(t.top);
        for (const { tool, path: asked } of calls) {
          const { result, text, error } = await tried(tool, asked.replace("OUTSIDE", t.outside));
          const hardLinked = things.some(({ kind }) => kind === "hard");
          if (!hardLinked) expect(JSON.stringify([result, text, error])).not.toContain(SECRET);
          if (error === undefined) inside++;
        }
        expect(picture(t.top)).toEqual(before);

        function tried(tool: string, asked: string) {
          const where = t.context();
          if (tool === "read") return attempt(readFile(t.files), { path: asked }, where);
          if (tool === "write") return attempt(writeFile(t.files), { path: asked, content: "HACKED" }, where);
          if (tool === "edit")
            return attempt(editFile(t.files), { path: asked, old_text: "S3", new_text: "X" }, where);
          if (tool === "list") return attempt(listFiles(t.files), { path: asked, pattern: "**" }, where);
          return attempt(localSearch(t.files), { query: "S3CRET", path: asked }, where);
        }
      },
    ),
    { numRuns: 400 },
  );
  // Otherwise everything was refused, and nothing was tried.
  expect(inside).toBeGreaterThan(50);
});

type Made = { readonly kind: string; readonly spot: string; readonly target: string };

/** As far as it works: a name may be taken. */
function make(workspace: string, outside: string, { kind, spot: at, target: to }: Made): void {
  const place = join(workspace, at);
  try {
    if (kind === "link") symlinkSync(to.replace("OUTSIDE", outside), place);
    if (kind === "directory") mkdirSync(place);
    if (kind === "hard") linkSync(join(outside, "secret"), place);
  } catch {
    // Taken.
  }
}

/** Every file outside the workspace, and in it what no tool may touch, with its content. */
function picture(directory: string): Record<string, string> {
  const seen: Record<string, string> = {};
  const look = (at: string, way: string): void => {
    for (const entry of readdirSync(at)) {
      const [full, named] = [join(at, entry), `${way}/${entry}`];
      const stats = lstatSync(full);
      const open = named.startsWith(OPEN) && !/^\.(git|fairlead)(\/|$)/.test(named.slice(OPEN.length));
      if (stats.isDirectory()) {
        if (!open) seen[named] = "directory";
        look(full, named);
      } else if (!open) seen[named] = readFileSync(full, "utf8");
    }
  };
  look(directory, "");
  return seen;
}

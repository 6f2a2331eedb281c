import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createObjects } from "../../src/workspaces/copy/objects.ts";
import { openPacks } from "../../src/workspaces/copy/packs.ts";
import { objectsOf, readTree, storeTree } from "../../src/workspaces/copy/stored-tree.ts";
import type { Tree } from "../../src/workspaces/copy/tree.ts";
import { codeOf } from "../support/world.ts";
import { temporary } from "./support.ts";

const treeOf = (files: number, changed = -1): Tree =>
  Array.from({ length: files }, (_, i) => ({
    path: `src/some-file-name-${i}.ts`,
    kind: "file",
    sha256: String(i === changed ? i + 1 : i).padStart(64, "0"),
    executable: false,
  }));

const bytesIn = (dir: string) =>
  readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0);

test("a tree comes back as it was, has the same ref wherever it is stored, and names all of its objects", async () => {
  const [here, there] = [createObjects(temporary()), createObjects(temporary())];
  for (const tree of [[], treeOf(1), treeOf(1_000)]) {
    const ref = await storeTree(here, tree);
    expect(await readTree(here, ref)).toEqual(tree);
    expect(await storeTree(there, tree)).toBe(ref);
    const named = await objectsOf(here, ref);
    expect(named).toEqual(expect.arrayContaining(tree.map((entry) => "sha256" in entry && entry.sha256)));
    expect(named.filter((name) => here.has(name)).length).toBe(named.length - tree.length);
  }
});

test("one that was written whole is still read", async () => {
  const objects = createObjects(temporary());
  const tree = treeOf(3);
  const name = await objects.put(Buffer.from(JSON.stringify(tree)));
  expect(await readTree(objects, `tree:${name}`)).toEqual(tree);
  expect(await objectsOf(objects, `tree:${name}`)).toHaveLength(4);
});

test("of the next that differs in one file little is written", async () => {
  const dir = temporary();
  const packs = openPacks(dir);
  await storeTree(packs, treeOf(3_000));
  packs.flush();
  const first = bytesIn(dir);
  await storeTree(packs, treeOf(3_000, 1_500));
  packs.flush();
  expect(bytesIn(dir) - first).toBeLessThan(first / 5);
});

test.each(["tree:0", "git:0", `tree:${"0".repeat(64)}`])("%s is none", async (ref) => {
  expect(await codeOf(readTree(createObjects(temporary()), ref))).toBe("snapshot_not_found");
});

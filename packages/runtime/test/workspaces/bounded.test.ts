import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Snapshot, SnapshotRef } from "../../src/ports/workspaces.ts";
import { codeOf } from "../support/world.ts";
import { keep, KEPT, restored } from "./support-project.ts";
import { filesOf, lab, type Lab } from "./support.ts";

const MOST = 1_000_000;
const PART = 100_000;

function bytesIn(dir: string): number {
  const all = readdirSync(dir, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return all.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

const ownOf = (l: Lab) => join(l.data, "workspaces/records", KEPT.id);

/** A snapshot after each change of a large file, and one of a small one beside it. */
async function fill(l: Lab, times: number, first = 0): Promise<Snapshot[]> {
  const kept: Snapshot[] = [];
  for (let i = first; i < first + times; i++) {
    l.put("one.bin", randomBytes(PART));
    l.put("number.txt", String(i));
    kept.push(await keep(l));
  }
  return kept;
}

let places = 0;
async function numberIn(l: Lab, from: SnapshotRef | undefined): Promise<string | undefined> {
  if (from === undefined) throw new Error("There is none.");
  return (await restored(l, from, `ws_place${(places += 1)}`)).files["number.txt"];
}

describe.each([{ repository: true }, { repository: false }])(
  "what is kept for one session (repository: $repository)",
  (given) => {
    test("comes to so much and no more: the oldest go, the newest and the first are had", async () => {
      const l = lab({ ...given, project: { storeBytes: MOST } });
      l.put("always.txt", "a");
      const kept: Snapshot[] = [];
      for (let i = 0; i < 40; i++) {
        kept.push(...(await fill(l, 1, i)));
        expect(bytesIn(ownOf(l))).toBeLessThan(MOST + 2 * PART);
      }
      for (const i of [39, 38, 37, 0]) expect(await numberIn(l, kept[i])).toBe(String(i));
      for (const i of [1, 5, 20]) expect(await codeOf(numberIn(l, kept[i]))).toBe("snapshot_not_found");
      const { files } = await restored(l, kept[39] as Snapshot, "ws_all");
      expect(files).toEqual(filesOf(l.project));
      // What was taken away is kept again when the files are so again.
      rmSync(join(l.project, "one.bin"));
      const [again] = [await keep(l)];
      expect((await restored(l, again, "ws_again")).files).toEqual(filesOf(l.project));
    });

    test("a branch has what it came from, also after that is gone", async () => {
      const l = lab({ ...given, project: { storeBytes: MOST } });
      const [, second] = await fill(l, 3);
      const { made } = await restored(l, second as Snapshot, "ws_branch");
      await fill(l, 30, 3);
      expect(await codeOf(numberIn(l, second))).toBe("snapshot_not_found");
      await l.workspaces.remove("ws_branch");
      expect(filesOf((await l.workspaces.open("ws_branch")).path)["number.txt"]).toBe("1");
      writeFileSync(join(made.path, "mine.txt"), "m");
      const { diff } = await l.workspaces.offer({ id: "ws_branch", name: "branch", message: "The change" });
      expect(diff.files.map(({ path }) => path)).toEqual(["mine.txt"]);
    });

    test("the last is kept, also where its files alone are more", async () => {
      const l = lab({ ...given, project: { storeBytes: 3 * PART } });
      l.put("four.bin", randomBytes(4 * PART));
      const first = await keep(l);
      l.put("four.bin", randomBytes(4 * PART));
      const second = await keep(l);
      expect((await restored(l, second, "ws_second")).files).toEqual(filesOf(l.project));
      expect(await codeOf(restored(l, first, "ws_first"))).toBe("snapshot_not_found");
      rmSync(join(l.project, "four.bin"));
      const third = await keep(l);
      expect((await restored(l, third, "ws_third")).files).toEqual(filesOf(l.project));
      expect(bytesIn(ownOf(l))).toBeLessThan(3 * PART);
    });
  },
);

test("what a process left that was killed while it thinned goes with the next time", async () => {
  const l = lab({ project: { storeBytes: MOST } });
  const kept = await fill(l, 5);
  // As after the names went, and before what they name did.
  const name = (kept[2] as Snapshot).ref.replace(":", "-");
  rmSync(join(ownOf(l), "refs", name));
  await fill(l, 8, 5);
  const objects = join(ownOf(l), "git/objects");
  expect(readdirSync(join(objects, name.slice(4, 6)))).not.toContain(name.slice(6));
  expect(readFileSync(join(l.project, "number.txt"), "utf8")).toBe("12");
  expect(await numberIn(l, await keep(l))).toBe("12");
});

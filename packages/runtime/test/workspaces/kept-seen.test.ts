import { chmodSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { demand, KEPT, keep, restored } from "./support-project.ts";
import { filesOf, lab, type Lab } from "./support.ts";

const MANY = 220;
const ownOf = (l: Lab) => join(l.data, "workspaces/records", KEPT.id);
const seenOf = (l: Lab) => join(ownOf(l), "index.seen");
const nameOf = (i: number) => `many/n${i}.txt`;

interface Seen {
  files: Record<string, [stamp: string, mode: string, object: string]>;
}
const seen = (l: Lab) => JSON.parse(readFileSync(seenOf(l), "utf8")) as Seen;

/** Long enough that a later change leaves another stamp. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 200));

async function many(options: { readonly repository?: boolean } = {}): Promise<Lab> {
  const l = lab({ project: {}, ...options });
  for (let i = 0; i < MANY; i++) l.put(nameOf(i), `${i}`);
  await settled();
  await keep(l);
  return l;
}

/** What one finds that knows nothing from before: the same files on the same commit are the same snapshot. */
async function anew(l: Lab): Promise<string> {
  const order = { id: "ws_anew", session_id: "ses_anew", source: l.project };
  const { ref } = demand(await l.workspaces.keepProject(order));
  await l.workspaces.forget("ws_anew");
  return ref;
}

describe("of many files that are not committed, a look", () => {
  test("reads those again that changed, and no others", async () => {
    const l = await many();
    const known = seen(l);
    expect(Object.keys(known.files)).toHaveLength(MANY);
    // As if the first had the content of the second: who reads it would see that it has not.
    const [one, other] = [known.files[nameOf(1)], known.files[nameOf(2)]];
    if (one === undefined || other === undefined) throw new Error("They are not known.");
    known.files[nameOf(1)] = [one[0], one[1], other[2]];
    writeFileSync(seenOf(l), JSON.stringify(known));
    l.put(nameOf(3), "changed");
    const { files } = await restored(l, await keep(l), "ws_branch");
    expect([files[nameOf(1)], files[nameOf(2)], files[nameOf(3)]]).toEqual(["2", "2", "changed"]);
  });

  test("finds what one finds that knows nothing, whatever happened between", async () => {
    const l = await many();
    const steps: readonly (() => void)[] = [
      () => {},
      () => l.put(nameOf(1), "x"),
      () => {
        // The same size and time as before.
        const { mtime } = statSync(join(l.project, nameOf(2)));
        l.put(nameOf(2), "3");
        utimesSync(join(l.project, nameOf(2)), mtime, mtime);
      },
      () => chmodSync(join(l.project, nameOf(3)), 0o755),
      () => rmSync(join(l.project, nameOf(4))),
      () => {
        rmSync(join(l.project, nameOf(5)));
        symlinkSync("n6.txt", join(l.project, nameOf(5)));
      },
      () => {
        rmSync(join(l.project, nameOf(6)));
        l.put(`${nameOf(6)}/inner.txt`, "a directory now");
      },
      () => l.put(".gitignore", "many/n7*\n"),
      () => rmSync(join(l.project, ".gitignore")),
      () => rmSync(join(l.project, "src/a.txt")),
      () => l.git("config", "core.filemode", "false"),
      () => l.put(".gitattributes", "*.txt eol=crlf\n"),
      () => rmSync(join(l.project, ".gitattributes")),
      () => {
        l.git("add", "many/n8.txt");
        l.git("commit", "--quiet", "-m", "One of them");
      },
      () => l.git("rm", "--quiet", "--cached", "many/n8.txt"),
    ];
    for (const step of steps) {
      step();
      expect((await keep(l)).ref).toBe(await anew(l));
      await settled();
    }
  });

  test("is whole where what is known is broken, or its objects are gone", async () => {
    const l = await many();
    for (const breaks of [
      () => writeFileSync(seenOf(l), '{"files'),
      () => rmSync(join(ownOf(l), "git/objects"), { recursive: true }),
    ]) {
      breaks();
      l.put("more.txt", String(breaks));
      expect((await keep(l)).ref).toBe(await anew(l));
      await settled();
      const { files } = await restored(l, await keep(l), `ws_b${String(breaks).length}`);
      expect(files).toEqual(filesOf(l.project));
    }
  });

  test("takes a file of any name, also one that every object knows", async () => {
    const l = await many();
    for (const text of ["new", "other"]) {
      for (const name of ["constructor", "toString", "__proto__"]) l.put(name, text);
      for (let looks = 0; looks < 2; looks++) {
        expect((await keep(l)).ref).toBe(await anew(l));
        await settled();
      }
    }
    const { files } = await restored(l, await keep(l), "ws_branch");
    expect(files).toEqual(filesOf(l.project));
  });

  test("knows them before the first commit too", async () => {
    const l = lab({ project: {}, repository: false });
    l.git("init", "--quiet");
    for (let i = 0; i < MANY; i++) l.put(nameOf(i), `${i}`);
    await settled();
    await keep(l);
    expect(Object.keys(seen(l).files)).toHaveLength(MANY);
    l.put(nameOf(1), "changed");
    expect((await keep(l)).ref).toBe(await anew(l));
  });

  test("does not trust the stamp of what was changed just now", async () => {
    const l = await many();
    l.put(nameOf(1), "a");
    const later = Date.now() / 1_000 + 60;
    utimesSync(join(l.project, nameOf(1)), later, later);
    await keep(l);
    expect(Object.keys(seen(l).files)).not.toContain(nameOf(1));
    expect(Object.keys(seen(l).files)).toHaveLength(MANY - 1);
  });
});

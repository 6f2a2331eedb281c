import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Snapshot, Unkept } from "../../src/ports/workspaces.ts";
import { createLocks } from "../../src/workspaces/lock.ts";
import { createRecords } from "../../src/workspaces/record.ts";
import { codeOf } from "../support/world.ts";
import { lab, type Lab, temporary } from "./support.ts";

const ORDER = { id: "ws_x_beside", session_id: "ses_x" };

function demand(kept: Snapshot | Unkept | undefined): Snapshot {
  if (kept === undefined || "unkept" in kept) throw new Error(JSON.stringify(kept));
  return kept;
}

/** A program `git` that waits, before it writes a tree, until somebody lets it go on. */
function slowGit(l: Lab): { readonly PATH: string; readonly begun: string; readonly go: string } {
  const dir = join(l.home, "slow");
  const [begun, go] = [join(dir, "begun"), join(dir, "go")];
  mkdirSync(dir);
  const script = `#!/bin/sh
case " $* " in *" write-tree "*)
  : > "${begun}"
  while [ ! -e "${go}" ]; do sleep 0.02; done;;
esac
PATH="\${PATH#*:}"
exec git "$@"
`;
  writeFileSync(join(dir, "git"), script, { mode: 0o755 });
  return { PATH: `${dir}:${process.env["PATH"]}`, begun, go };
}

async function until(path: string): Promise<void> {
  for (;;) {
    try {
      return void readFileSync(path);
    } catch {
      await new Promise<void>((resolve) => void setTimeout(resolve, 5));
    }
  }
}

describe.each([{ repository: true }, { repository: false }])(
  "two processes with one data directory (repository: $repository)",
  (given) => {
    test("keep the project under one id at once, and each snapshot that was said is had", async () => {
      const l = lab({ ...given, project: {} });
      const two = [l.workspaces, l.again()];
      const said: Snapshot[] = [];
      for (const text of ["1", "2", "3"]) {
        l.put("one.txt", text);
        const kept = two.map((one) => one.keepProject({ ...ORDER, source: l.project }));
        said.push(...(await Promise.all(kept)).map(demand));
      }
      const refs = [...new Set(said.map(({ ref }) => ref))];
      expect(refs).toHaveLength(3);
      for (const [i, ref] of refs.entries()) {
        const from = { workspace_id: ORDER.id, ref };
        const made = await l.again().restore({ id: `ws_r${i}`, session_id: `ses_r${i}`, from });
        expect(readFileSync(join(made.path, "one.txt"), "utf8")).toBe(String(i + 1));
      }
    });

    test("keep what a session works in under one id at once", async () => {
      const l = lab(given);
      l.put("one.txt", "0");
      const { path } = await l.workspaces.prepare({ id: "ws_a", session_id: "ses_a", source: l.project });
      const two = [l.workspaces, l.again()];
      for (const text of ["1", "2"]) {
        writeFileSync(join(path, "one.txt"), text);
        const [first, second] = await Promise.all(two.map((one) => one.keep({ ...ORDER, inside: "ws_a" })));
        expect(first?.ref).toBe(second?.ref);
        const diff = await l.again().diff(first as Snapshot, second as Snapshot);
        expect(diff.files).toEqual([]);
      }
    });
  },
);

test("a slow one loses nothing that another has said meanwhile", async () => {
  const l = lab({ project: {} });
  const order = { id: "ws_x", session_id: "ses_x", source: l.project };
  demand(await l.workspaces.keepProject(order));
  const { PATH, begun, go } = slowGit(l);
  l.put("one.txt", "1");
  const slow = l.again({ env: { PATH, HOME: l.home } }).keepProject(order);
  await until(begun);
  l.put("one.txt", "2");
  const quick = l.workspaces.keepProject(order);
  writeFileSync(go, "");
  for (const [i, kept] of [demand(await slow), demand(await quick)].entries()) {
    const made = await l.again().restore({ id: `ws_r${i}`, session_id: `ses_r${i}`, from: kept });
    expect(readFileSync(join(made.path, "one.txt"), "utf8")).toMatch(/^[12]$/);
  }
});

test("one that does not finish is waited for as long as somebody can be let wait, and it is said", async () => {
  const l = lab({ project: {} });
  const order = { id: "ws_x", session_id: "ses_x", source: l.project };
  demand(await l.workspaces.keepProject(order));
  const { PATH, begun, go } = slowGit(l);
  l.put("one.txt", "1");
  const slow = l.again({ env: { PATH, HOME: l.home } }).keepProject(order);
  await until(begun);
  expect(await l.again({ project: { patienceMs: 1 } }).keepProject(order)).toEqual({
    unkept: "too_slow",
    why: expect.stringMatching(/^Another process/),
  });
  writeFileSync(go, "");
  demand(await slow);
});

test("a record that is written by who knew of fewer snapshots loses none", async () => {
  const records = createRecords(temporary());
  const l = lab({ project: {} });
  const { ref } = demand(await l.workspaces.keepProject({ ...ORDER, source: l.project }));
  const known = createRecords(join(l.data, "workspaces/records")).find(ORDER.id);
  if (known === undefined) throw new Error("There is none.");
  await records.write(known);
  await records.note(ORDER.id, "git:2");
  await records.write({ ...known, last: "git:3" });
  expect(records.find(ORDER.id)).toMatchObject({
    last: "git:3",
    refs: expect.arrayContaining([ref, "git:2"]),
  });
});

test("the lock is let go of when the work fails", async () => {
  const locked = createLocks(temporary());
  await expect(locked("ws_x", 0, () => Promise.reject(new Error("No.")))).rejects.toThrow("No.");
  expect(await locked("ws_x", 0, async () => 1)).toBe(1);
  expect(await codeOf(locked("ws_x", 0, () => locked("ws_x", 0, async () => 1)))).toBe(
    "workspace_unavailable",
  );
});

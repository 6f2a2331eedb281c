import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hostFiles } from "../../src/host/workspace-files.ts";
import { editFile } from "../../src/tools/edit-file.ts";
import { readFile } from "../../src/tools/read-file.ts";
import { writeFile } from "../../src/tools/write-file.ts";
import { attempt, tree } from "../tools/support.ts";

/** Makes `dir` a link to the outside and a directory again, as fast as it can. */
const SWAPPER = `
  const { renameSync, rmSync, symlinkSync } = require("node:fs");
  // A tool may have made a directory in its place.
  const surely = (work) => { for (;;) try { return work(); } catch { try { rmSync("dir", { recursive: true, force: true }); } catch {} } };
  process.stdout.write("swapping");
  for (;;) {
    renameSync("dir", "kept"); surely(() => symlinkSync("../target", "dir"));
    rmSync("dir", { force: true }); surely(() => renameSync("kept", "dir"));
  }`;

it("a process that swaps a directory for a link while tools work in it gets nothing written or read outside", async () => {
  using t = tree();
  const target = join(t.outside, "target");
  mkdirSync(target);
  writeFileSync(join(target, "file.txt"), "private word");
  t.put("dir/file.txt", "public word");
  const swapper = spawn(process.execPath, ["-e", SWAPPER], {
    cwd: t.workspace,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(swapper, "close");
  try {
    await once(swapper.stdout, "data");
    const files = hostFiles({ hidden: [], fixed: [] });
    const [write, edit, read] = [writeFile(files), editFile(files), readFile(files)];
    let [done, refused] = [0, 0];
    for (let i = 0; i < 3_000; i++) {
      const path = "dir/file.txt";
      const tries = await Promise.all([
        attempt(read, { path }, t.context()),
        attempt(write, { path: `dir/made-${i % 10}.txt`, content: "evil" }, t.context()),
        attempt(edit, { path, old_text: "word", new_text: i % 2 === 0 ? "word " : "word" }, t.context()),
      ]);
      for (const { text, error } of tries) {
        expect(text ?? "").not.toContain("private");
        if (error === undefined) done += 1;
        else refused += 1;
      }
    }
    // Both were met, or it was no race.
    expect([done > 0, refused > 0, swapper.exitCode]).toEqual([true, true, null]);
  } finally {
    swapper.kill("SIGKILL");
    await ended;
  }
  expect(readdirSync(target)).toEqual(["file.txt"]);
  expect(readdirSync(t.outside).toSorted()).toEqual(["target", "workspace"]);
});

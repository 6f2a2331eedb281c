import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { readFile } from "../../src/tools/read-file.ts";
import { writeFile } from "../../src/tools/write-file.ts";
import { containmentSuite, withSecret } from "./containment-suite.ts";
import { attempt } from "./support.ts";

containmentSuite();

describe.runIf(existsSync("/proc/self/fd"))("races", () => {
  /** Points a link inside and outside in turn, as fast as it can, until it is told to stop. */
  const FLIP = `
    const { workerData, parentPort } = require("node:worker_threads");
    const { renameSync, symlinkSync } = require("node:fs");
    const stop = new Int32Array(workerData.flag);
    for (let i = 0; Atomics.load(stop, 0) === 0; i++) {
      symlinkSync(workerData.targets[i % 2], workerData.path + ".next");
      renameSync(workerData.path + ".next", workerData.path);
      if (i === 0) parentPort.postMessage("go");
    }
  `;

  it.each([
    ["a directory on the way", "flip", "flip/f", "real", "target"],
    ["the file itself", "flip", "flip", "real/f", "target/f"],
  ])(
    "never reads or writes outside while %s leads in and out in turn",
    async (_, link, path, inside, out) => {
      using t = withSecret();
      t.put("real/f", "inside");
      mkdirSync(join(t.outside, "target"));
      const target = join(t.outside, "target/f");
      writeFileSync(target, "SECRET");
      const flag = new SharedArrayBuffer(4);
      const targets = [join(t.workspace, inside), join(t.outside, out)];
      const worker = new Worker(FLIP, {
        eval: true,
        workerData: { path: join(t.workspace, link), targets, flag },
      });
      const ended = new Promise((resolve) => void worker.once("exit", resolve));
      await new Promise((resolve) => void worker.once("message", resolve));
      const counts = { done: 0, refused: 0 };
      for (let i = 0; i < 1_500; i++) {
        const read = await attempt(readFile(t.files), { path }, t.context());
        const wrote = await attempt(writeFile(t.files), { path, content: "inside" }, t.context());
        expect(read.text ?? "inside").toBe("inside");
        for (const { error } of [read, wrote]) counts[error === undefined ? "done" : "refused"]++;
      }
      Atomics.store(new Int32Array(flag), 0, 1);
      await ended;
      expect(readFileSync(target, "utf8")).toBe("SECRET");
      expect(readdirSync(join(t.outside, "target"))).toEqual(["f"]);
      // Otherwise there was no race.
      expect(counts.done).toBeGreaterThan(0);
      expect(counts.refused).toBeGreaterThan(0);
    },
  );
});

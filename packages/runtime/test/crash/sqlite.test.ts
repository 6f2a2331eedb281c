import type { SessionId } from "@fairlead/contract";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { create, openLog } from "../../src/ports/event-log.contract/support.ts";
import { openSqliteStore } from "../../src/stores/sqlite/open.ts";
import { temporaryFolder } from "../stores.ts";
import { type Acknowledged, expectWhole } from "./acknowledged.ts";

const ROUNDS = 8;
const clock = { now: () => Date.now() };

/** Lets the writer run for a while, kills it with -9, and returns what it said was acknowledged. */
async function runAndKill(dir: string, streams: readonly SessionId[], ms: number): Promise<Acknowledged[]> {
  const script = new URL("./writer.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [script, dir, streams.join(","), "24"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8");
  const ready = new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk: string) => {
      output += chunk;
      if (output.includes("ready\n")) resolve();
    });
  });
  const closed = once(child, "close");
  await Promise.race([ready, closed]);
  await new Promise((resolve) => setTimeout(resolve, ms));
  child.kill("SIGKILL");
  const [, signal] = (await closed) as [number | null, string | null];
  expect(signal).toBe("SIGKILL");
  // The last line may have been cut in the middle.
  const lines = output.slice(0, output.lastIndexOf("\n") + 1).split("\n");
  return lines
    .filter((line) => line.startsWith("ses_"))
    .map((line) => {
      const [stream, seq, id] = line.split(" ");
      return { stream: stream as SessionId, seq: Number(seq), id: id as string };
    });
}

it("loses nothing acknowledged when the process is killed with -9 again and again (SQLite)", async () => {
  const folder = temporaryFolder();
  const log = openLog(openSqliteStore({ dir: folder.path, clock }), clock);
  const streams = await Promise.all(Array.from({ length: 8 }, () => create(log)));
  await log.close();
  const acknowledged: Acknowledged[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    acknowledged.push(...(await runAndKill(folder.path, streams, 40 + Math.random() * 260)));
    const reopened = openLog(openSqliteStore({ dir: folder.path, clock }), clock);
    await expectWhole(reopened, streams, acknowledged);
    await reopened.close();
  }
  expect(acknowledged.length).toBeGreaterThan(ROUNDS * 24);
  folder.remove();
}, 120_000);

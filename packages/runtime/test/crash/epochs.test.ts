import type { SessionId } from "@fairlead/contract";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { create, openLog } from "../../src/ports/event-log.contract/support.ts";
import { openSqliteStore } from "../../src/stores/sqlite/open.ts";
import { temporaryFolder } from "../stores.ts";

const ROUNDS = 6;
const clock = { now: () => Date.now() };

/** Kills the process with -9 as soon as it has said that something was appended under its newest epoch. */
async function epochsUntilKilled(dir: string, stream: SessionId, appends: number): Promise<number[]> {
  const script = new URL("./lease-taker.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [script, dir, stream], { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  let output = "";
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (chunk: string) => {
    output += chunk;
    if (output.split("\n").length > appends) child.kill("SIGKILL");
  });
  const [, signal] = (await closed) as [number | null, string | null];
  expect(signal).toBe("SIGKILL");
  return output.slice(0, output.lastIndexOf("\n")).split("\n").map(Number);
}

it("gives out no epoch twice, though a lease is not flushed by itself", async () => {
  const folder = temporaryFolder();
  const log = openLog(openSqliteStore({ dir: folder.path, clock }), clock);
  const stream = await create(log);
  await log.close();
  const epochs: number[] = [];
  for (let round = 0; round < ROUNDS; round++)
    epochs.push(...(await epochsUntilKilled(folder.path, stream, 1 + round * 3)));
  expect(epochs.length).toBeGreaterThanOrEqual(ROUNDS);
  for (const [i, epoch] of epochs.entries())
    if (i > 0) expect(epoch).toBeGreaterThan(epochs[i - 1] as number);

  const reopened = openLog(openSqliteStore({ dir: folder.path, clock }), clock);
  const last = epochs.at(-1) as number;
  const lease = await reopened.acquireLease(stream, "after", 1_000);
  expect(lease?.epoch).toBeGreaterThan(last);
  const stale = await reopened.append({
    writes: [
      { stream, events: [{ type: "agent.output.delta", data: { text: "late" } }], guard: { epoch: last } },
    ],
  });
  expect(stale).toMatchObject({ ok: false, refusal: { code: "lease_lost" } });
  await reopened.close();
  folder.remove();
}, 60_000);

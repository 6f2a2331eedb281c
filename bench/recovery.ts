import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createRuntime, type Runtime } from "../packages/runtime/src/create-runtime.ts";
import { SYSTEM_ACTOR } from "../packages/runtime/src/domain/actor.ts";
import { TURN_LIMITS } from "../packages/runtime/src/services/turn/limits.ts";
import { startPostgresServer } from "../packages/runtime/test/support/postgres-server.ts";
import { median, percentile, round, table } from "./measure.ts";

export interface RecoveryBenchOptions {
  readonly processes?: number;
  readonly sessions?: number;
}

interface Row {
  readonly session_id: string;
  readonly status: string;
  readonly state: { readonly process_id?: unknown; readonly attempt_count?: number } | null;
}

const PATIENCE_MS = 120_000;

async function rowsOf({ services }: Runtime): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await services.sessions.list(SYSTEM_ACTOR, { kind: "background", limit: 500, cursor });
    rows.push(...(page.rows as readonly Row[]));
    if (page.cursor === null) return rows;
    cursor = page.cursor;
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const start = performance.now(); performance.now() - start < PATIENCE_MS; await sleep(100))
    if (await isSo()) return;
  throw new Error("it did not come to pass");
}

/** How long sessions of a process that is killed with -9 stand still. */
export async function recovery(given: RecoveryBenchOptions = {}): Promise<Record<string, unknown>> {
  const { processes = 3, sessions = 300 } = given;
  const server = await startPostgresServer();
  const work = mkdtempSync(join(tmpdir(), "fairlead-bench-work-"));
  const children: ChildProcess[] = [];
  // It looks, and drives nothing.
  const watcher = await createRuntime({
    store: { postgres: server.url },
    workspace: work,
    sealKey: Buffer.alloc(32, 7),
    env: {},
    limits: { background: 0 },
  });
  try {
    for (let i = 0; i < sessions; i++)
      await watcher.services.kernel.start(SYSTEM_ACTOR, { task: `Task ${i}.` });
    // At first each takes its share; those that are left have room for what the killed one had.
    const share = Math.ceil(sessions / processes);
    for (let i = 0; i < processes; i++) {
      const room = i === 0 ? share : sessions;
      children.push(
        fork(new URL("./recovery/process.ts", import.meta.url), [server.url, work, String(room)], {
          stdio: ["ignore", "inherit", "inherit", "ipc"],
        }),
      );
      if (i === 0) await until(async () => (await rowsOf(watcher)).filter(isRunning).length >= share);
    }
    await until(async () => (await rowsOf(watcher)).every(isRunning));
    const [victim] = children as [ChildProcess];
    const ofVictim = (row: Row) => String(row.state?.process_id).endsWith(`:${victim.pid}`);
    const lost = (await rowsOf(watcher)).filter(ofVictim).map(({ session_id }) => session_id);
    const killed = Date.now();
    victim.kill("SIGKILL");
    await once(victim, "exit");
    await until(async () => !(await rowsOf(watcher)).some(ofVictim));
    const times: number[] = [];
    for (const session of lost) {
      const types = ["runtime.turn.resumed"];
      const { events } = await watcher.log.read(session as never, {
        before: Number.MAX_SAFE_INTEGER,
        types,
        limit: 1,
      });
      const resumed = Date.parse(events[0]?.at ?? "") - killed;
      // One from before the kill, or none, would be a number that says nothing.
      if (!(resumed > 0)) throw new Error(`${session} was lost, and nobody has gone on with it`);
      times.push(resumed / 1_000);
    }
    if (times.length === 0) throw new Error("the process that was killed drove nothing");
    const result = {
      bench: "recovery",
      processes,
      sessions,
      kill_to_resumed_p50_s: round(median(times), 2),
      p99_s: round(percentile(times, 0.99), 2),
      lease_s: TURN_LIMITS.leaseMs / 1_000,
      killed_with: lost.length,
    };
    table(
      ["sessions of the killed process", "p50, s", "p99, s"],
      [[lost.length, result.kill_to_resumed_p50_s, result.p99_s]],
    );
    return result;
  } finally {
    for (const child of children) child.kill("SIGKILL");
    await watcher.stop();
    await server.stop();
    rmSync(work, { recursive: true, force: true });
  }
}

function isRunning({ status }: Row): boolean {
  return status === "running";
}

import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AnyEvent, SessionStatus } from "@fairlead/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import type { StoreChoice } from "../../src/create-runtime.ts";
import { KERNEL_TABLE, type KernelState } from "../../src/domain/kernel/table.ts";
import { startChild } from "../crash/child.ts";
import type { Place } from "../crash/killing.ts";
import { playIn } from "../crash/play.ts";
import { temporaryFolder } from "../stores.ts";
import { freshDatabase } from "../support/postgres.ts";
import { ADMIN, everything } from "../support/world.ts";
import { openKernel, operate, queueWork } from "./kill-scene.ts";

const AT_ONCE = 6;

interface Artifact {
  readonly kind: string;
  readonly path?: string;
}

interface Site extends Place {
  remove(): void;
}

async function site(choose: (data: string) => Promise<StoreChoice>, task?: string): Promise<Site> {
  const data = temporaryFolder();
  const work = temporaryFolder();
  const store = await choose(data.path);
  const session = await queueWork(store, work.path, task);
  return { store, workspace: work.path, session, remove: () => (data.remove(), work.remove()) };
}

const play = (places: readonly Place[], when = "") => playIn("../kernel/kill-child.ts", places, when);

function dataOf(events: readonly AnyEvent[], type: string): Record<string, unknown>[] {
  return events.filter((event) => event.type === type).map((event) => event.data as Record<string, unknown>);
}

/** Goes on where the child was killed, and looks at all that must hold. */
async function goOn(at: Site): Promise<void> {
  const runtime = await openKernel(at.store, at.workspace);
  try {
    await runtime.start();
    expect(await operate(runtime, at.session)).toBe("completed");
    const events = await everything(runtime.log, at.session);
    expect((await runtime.log.verify()).broken).toEqual([]);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
    expectStates(dataOf(events, "runtime.session.state").map(({ status }) => status as SessionStatus));
    const checkpoints = dataOf(events, "runtime.session.checkpoint");
    expect(checkpoints.map(({ sequence }) => sequence)).toEqual(checkpoints.map((_, i) => i + 1));
    expect(checkpoints.filter(({ checkpoint_type }) => checkpoint_type === "step")).toHaveLength(4);
    const artifacts = dataOf(events, "runtime.artifact.created").map(({ artifact }) => artifact as Artifact);
    const own = artifacts.filter(({ kind }) => kind === "agentic_run" || kind === "final_output");
    expect(own.map(({ kind }) => kind)).toEqual(["agentic_run", "final_output"]);
    const { state } = await runtime.services.sessions.get(ADMIN, at.session);
    expect([1, 2]).toContain(state?.attempt_count);
    const outcomes = dataOf(events, "agent.tool.outcome").map(({ tool_name }) => tool_name);
    expect(outcomes.toSorted()).toEqual(["look", "peek", "put", "send"]);
    // What must not happen twice did not.
    const effects = effectsOf([at.workspace, ...artifacts.flatMap(({ path }) => path ?? [])]);
    expect(effects.filter((line) => line.startsWith("put")).length).toBeGreaterThan(0);
    expect(effects.filter((line) => line.startsWith("send")).length).toBeLessThanOrEqual(1);
  } finally {
    await runtime.stop();
  }
}

/** Each state was left for one that the table leads to. */
function expectStates(statuses: readonly SessionStatus[]): void {
  for (const [i, to] of statuses.slice(1).entries()) {
    const from = statuses[i] as KernelState;
    const ways = Object.values(KERNEL_TABLE[from]).flatMap((way) => ("to" in way ? [way.to] : []));
    if (from !== to) expect(ways).toContain(to);
  }
  expect(statuses[0]).toBe("queued");
}

/** Lines of wherever it worked. */
function effectsOf(workspaces: readonly string[]): readonly string[] {
  return [...new Set(workspaces)].flatMap((workspace) => {
    const file = join(workspace, "effects.txt");
    return existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
  });
}

const STORES: readonly [string, (data: string) => Promise<StoreChoice>, number][] = [
  ["SQLite", async (sqlite) => ({ sqlite }), 2],
  ["PostgreSQL", async () => ({ postgres: await freshDatabase() }), 8],
];

describe.each(STORES)("background work whose process is killed with -9, on %s", (_, choose, stride) => {
  it.each(["before", "after"])(
    "ends right, whichever of its appends it was killed %s",
    async (when) => {
      const whole = await site(choose);
      const [appends] = (await play([whole])) as [number];
      expect(appends).toBeGreaterThan(15);
      await goOn(whole);
      whole.remove();
      const all = Array.from({ length: Math.ceil(appends / stride) }, (_, i) => 1 + i * stride);
      let kills = 0;
      for (let i = 0; i < all.length; i += AT_ONCE) {
        const places = await Promise.all(
          all.slice(i, i + AT_ONCE).map(async (nth) => ({ ...(await site(choose)), nth })),
        );
        const ends = await play(places, when);
        kills += ends.filter((end) => end === "reached").length;
        for (const place of places) {
          await goOn(place);
          place.remove();
        }
      }
      expect(kills).toBeGreaterThan(all.length / 2);
    },
    300_000,
  );
});

describe("background work of a process that is killed", () => {
  it("is gone on with by another that lives, without a word of anybody", async () => {
    const at = await site(async () => ({ postgres: await freshDatabase() }), "slow, please");
    onTestFinished(() => at.remove());
    const child = startChild("../kernel/serve-child.ts", [JSON.stringify(at.store), at.workspace]);
    await once(child.stdout, "data");
    // Whoever misses its lease lets go, and here nobody else would go on with it.
    const other = await openKernel(at.store, at.workspace, undefined, { leaseMs: 30_000 });
    onTestFinished(() => other.stop());
    await until(async () => {
      const events = await everything(other.log, at.session);
      return events.some(({ type }) => type === "agent.output.delta");
    });
    child.kill("SIGKILL");
    await once(child, "close");
    expect((await other.services.sessions.get(ADMIN, at.session)).status).toBe("running");
    // Its lease has to run out first.
    await until(async () => (await other.services.turns.recover()) === 1);
    await until(async () => (await other.services.sessions.get(ADMIN, at.session)).status === "completed");
    const row = await other.services.sessions.get(ADMIN, at.session);
    expect(row.state).toMatchObject({ attempt_count: 2, last_error: null });
    const events = await everything(other.log, at.session);
    expect(dataOf(events, "agent.output.superseded")).toHaveLength(1);
    expect(dataOf(events, "runtime.request.completed")).toMatchObject([{ output: "A moment. There." }]);
  }, 60_000);
});

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < 2_000; looks++) {
    if (await isSo()) return;
    await new Promise<void>((resolve) => void setTimeout(resolve, 10));
  }
  throw new Error("It did not come to pass.");
}

import type { HealthyRow } from "@fairlead/contract";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openPostgresStore } from "../../src/stores/postgres/open.ts";
import { openSqliteStore } from "../../src/stores/sqlite/open.ts";
import { turnRecovery } from "../../src/workers/turn-recovery.ts";
import { gated, look, writer } from "../golden/scene.ts";
import { temporaryFolder } from "../stores.ts";
import { freshDatabase } from "../support/postgres.ts";
import { type World, type WorldOptions, handTime, world } from "../support/world.ts";
import { ADA, BUSY, CHANGE, DONE, type Stage, model, shaky, stage, staged } from "./support.ts";

let url: string;
let marks = 0;
beforeAll(async () => {
  url = await freshDatabase();
});

/** Two sets of services over one PostgreSQL, each with its own connections and marks. */
async function pair(options: WorldOptions): Promise<{ a: World; b: World }> {
  const open = async (name: string) => {
    const store = await openPostgresStore({ url });
    const made = world({ ...options, store, time: handTime(Date.now()), mark: `${name}k${++marks}k` });
    onTestFinished(async () => {
      await made.services.turns.stop("The test is over.");
      await made.log.close();
      expect(made.reported).toEqual([]);
    });
    return made;
  };
  return { a: await open("a"), b: await open("b") };
}

const WAIT = { call: "wait", with: { what: "for news" } };
const begun = async (play: Stage): Promise<void> => {
  for (let i = 0; i < 1_000 && (await play.data("agent.tool.batch")).length === 0; i++)
    await new Promise<void>((resolve) => void setTimeout(resolve, 5));
};

describe("background work that one process drives", () => {
  it("is paused and resumed through another", async () => {
    const wait = gated();
    const { a, b } = await pair({ models: [model([WAIT], [DONE])], tools: [wait] });
    const play = staged(a, await a.services.kernel.start(ADA, { task: "Wait." }));
    await begun(play);
    expect((await b.services.kernel.pause(ADA, play.session, "lunch")).status).toBe("running");
    wait.letGo({ result: "news" });
    await play.until("paused");
    expect(await play.data("agent.output.completed")).toHaveLength(1);
    await b.services.kernel.resume(ADA, play.session);
    const row = await play.until("completed");
    expect(row.state?.attempt_count).toBe(1);
    const drivers = (await play.data("runtime.session.state"))
      .filter(({ status }) => status === "running")
      .map(({ process_id }) => String(process_id).slice(0, 5));
    expect(drivers).toEqual(["hosta", "hostb"]);
  });

  it("is cancelled through another", async () => {
    const wait = gated();
    const { a, b } = await pair({ models: [model([WAIT], [DONE])], tools: [wait] });
    const play = staged(a, await a.services.kernel.start(ADA, { task: "Wait." }));
    await begun(play);
    expect(await b.services.kernel.cancel(ADA, play.session, "enough")).toMatchObject({
      status: "cancelled",
    });
    expect(await play.data("agent.tool.outcome")).toMatchObject([{ status: "error" }]);
    expect(await play.data("runtime.turn.ended")).toMatchObject([
      { status: "cancelled", reason: "enough", actor: "ada" },
    ]);
  });

  it("waits for a person in nobody's memory, and goes on where it was decided", async () => {
    const { a, b } = await pair({ models: [model([CHANGE], [DONE])], tools: [writer, look] });
    const play = staged(a, await a.services.kernel.start(ADA, { task: "Change it." }));
    await play.until("awaiting_approval");
    await a.services.turns.stop("It stops.");
    const there = staged(
      b,
      (await b.services.kernel.list(ADA, { kind: "background" })).rows[0] as HealthyRow,
    );
    expect(there.session).toBe(play.session);
    await there.decide("approved");
    await there.until("completed");
  });
});

describe("on SQLite", () => {
  it("background work is there after a restart, in whatever state it was", async () => {
    const folder = temporaryFolder();
    onTestFinished(() => folder.remove());
    const time = handTime();
    const open = (mark: string, more: WorldOptions = {}) => {
      const store = openSqliteStore({ dir: folder.path, clock: time.clock });
      return { models: [model([CHANGE], [DONE])], ...more, store, time, mark };
    };
    const first = await stage(open("a"));
    const asked = await first.until("awaiting_approval");
    const { kernel } = first.w.services;
    const late = await kernel.start(ADA, { task: "Later.", idempotencyKey: "late" });
    await staged(first.w, late).until("awaiting_approval");
    await kernel.pause(ADA, late.session_id);
    await first.w.services.turns.stop("It stops.");
    await first.w.log.close();

    const w = world({ tools: [look, writer], ...open("b") });
    onTestFinished(() => w.log.close());
    const rows = (await w.services.kernel.list(ADA, { kind: "background" })).rows;
    expect(rows.map(({ status }) => status).toSorted()).toEqual(["awaiting_approval", "paused"]);
    const again = staged(w, asked);
    await again.decide("approved");
    await again.until("completed");
    await w.services.kernel.resume(ADA, late.session_id);
    const later = staged(w, late);
    await later.until("awaiting_approval");
    await later.decide("approved");
    await later.until("completed");
    // The answer to the same command is the same session, also now.
    const repeated = await w.services.kernel.start(ADA, { task: "Later.", idempotencyKey: "late" });
    expect(repeated.session_id).toBe(late.session_id);
    expect(w.reported).toEqual([]);
  });

  it("what waits to be tried again is, by whichever process is there when its time comes", async () => {
    const folder = temporaryFolder();
    onTestFinished(() => folder.remove());
    const time = handTime();
    const open = () => openSqliteStore({ dir: folder.path, clock: time.clock });
    const first = await stage({ store: open(), time, mark: "a", models: [shaky(1, BUSY)] });
    await first.until("recovering");
    await first.w.services.turns.stop("It stops.");
    await first.w.log.close();
    const second = world({ store: open(), time, mark: "b", models: [model([DONE])] });
    onTestFinished(() => second.log.close());
    const { turns } = second.services;
    const { clock, timers } = time;
    const worker = turnRecovery({
      turns,
      clock,
      timers,
      report: (error) => void second.reported.push(error),
    });
    await worker.start();
    const play = staged(second, first.first);
    expect((await play.row()).status).toBe("recovering");
    await time.advance(2_000);
    const row = await play.until("completed");
    expect(row.state).toMatchObject({ attempt_count: 2, last_error: null });
    await worker.stop();
    expect(second.reported).toEqual([]);
  });

  it("what a process that stops had under way is taken up by the next, as the same attempt", async () => {
    const folder = temporaryFolder();
    onTestFinished(() => folder.remove());
    const time = handTime();
    const wait = gated({ effect: "none" });
    const store = openSqliteStore({ dir: folder.path, clock: time.clock });
    const first = await stage({ store, time, mark: "a", models: [model([WAIT], [DONE])], tools: [wait] });
    await begun(first);
    await first.w.services.turns.stop("It stops.");
    expect((await first.row()).status).toBe("queued");
    await first.w.log.close();
    const done = gated({ effect: "none" });
    done.letGo({ result: "news" });
    const second = world({
      store: openSqliteStore({ dir: folder.path, clock: time.clock }),
      time,
      mark: "b",
      models: [model([WAIT], [DONE])],
      tools: [done],
    });
    onTestFinished(() => second.log.close());
    expect(await second.services.turns.recover()).toBe(1);
    const row = await staged(second, first.first).until("completed");
    expect(row.state?.attempt_count).toBe(1);
  });

  it("a call that a process called off because it stops is no failure: the next one asks what became of it", async () => {
    const folder = temporaryFolder();
    onTestFinished(() => folder.remove());
    const time = handTime();
    const open = () => openSqliteStore({ dir: folder.path, clock: time.clock });
    const common = { time, models: [model([WAIT], [DONE])], tools: [gated({ effect: "once" })] };
    const first = await stage({ ...common, store: open(), mark: "a" });
    await begun(first);
    await first.w.services.turns.stop("It stops.");
    expect(await first.data("agent.tool.outcome")).toEqual([]);
    await first.w.log.close();
    const second = world({ ...common, store: open(), mark: "b" });
    onTestFinished(() => second.log.close());
    expect(await second.services.turns.recover()).toBe(1);
    const play = staged(second, first.first);
    await play.until("awaiting_approval");
    expect(await play.data("runtime.effect.verdict")).toMatchObject([{ verdict: "ask" }]);
    const { questions } = second.services;
    const [asked] = (await questions.list(ADA, { state: "pending" })).rows;
    const answer = { outcome: "happened" };
    await questions.decide(ADA, asked?.request_id ?? "", { decision: "approved", answer });
    await play.until("completed");
    expect(await play.data("agent.tool.outcome")).toMatchObject([{ status: "ok" }]);
  });
});

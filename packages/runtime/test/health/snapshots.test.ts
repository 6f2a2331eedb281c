import { describe, expect, it } from "vitest";
import { absorbHealth, type HealthRow, newCarriedHealth, SNAPSHOT } from "../../src/domain/health/row.ts";
import { healthWatch } from "../../src/workers/health-watch.ts";
import { look, scene, tool } from "../golden/scene.ts";
import { ADA, CHANGE, DONE, LOOK, model } from "../kernel/support.ts";
import { everything, handTime, settle } from "../support/world.ts";
import { held, snapshots } from "./support.ts";

const MINUTE = 60_000;

describe("a snapshot in the log", () => {
  it("is not there where all is well: not in a chat, nor in the background", async () => {
    const chat = await scene({ models: [model([LOOK], [DONE])], tools: [look] });
    await chat.start();
    await chat.rest();
    expect((await chat.events()).map(({ type }) => type)).not.toContain(SNAPSHOT);
    const work = await held({ rounds: [[LOOK], [DONE]] });
    await work.until("completed");
    expect(await snapshots(work)).toEqual([]);
  });

  it("is there when something changes, in a commit that is made anyway", async () => {
    const work = await held({ rounds: [[CHANGE], [DONE]] });
    await work.until("awaiting_approval");
    expect(await snapshots(work)).toMatchObject([{ flags: ["waiting"], status: "awaiting_approval" }]);
    await work.decide("approved");
    await work.until("completed");
    const said = await snapshots(work);
    expect(said.map(({ flags }) => flags)).toEqual([["waiting"], []]);
    expect(said.at(-1)?.["audit"]).toMatchObject([
      { kind: "asked" },
      { kind: "decided", summary: "ada approved change" },
    ]);
  });

  it("is said once, also where every look at the clock finds it later", async () => {
    const time = handTime();
    let passed = 0;
    const moving = { ...time, clock: { now: () => time.clock.now() + passed++ } };
    const work = await held({
      time: moving,
      rounds: [[CHANGE], [DONE]],
      health: { max_tool_latency_ms: 1_000_000 },
    });
    await work.until("awaiting_approval");
    await work.w.services.health.recordDue();
    const said = await snapshots(work);
    expect(said.filter(({ status }) => status === "awaiting_approval")).toHaveLength(1);
    await work.w.services.health.recordDue();
    expect(await snapshots(work)).toHaveLength(said.length);
  });

  it("says where what the model was told came from", async () => {
    const chat = await scene({ models: [model([DONE])] });
    await chat.w.log.append({
      writes: [
        {
          stream: chat.session,
          events: [
            {
              type: "runtime.retrieval.completed",
              data: { query: "door", citations: [{ path: "a.md" }, { path: "b.md" }] },
            },
            {
              type: "runtime.memory.recall.completed",
              data: { namespace: "team", record_ids: ["r1"], context: "" },
            },
            {
              type: "runtime.context.injected",
              data: { turn_id: "trn_x", source: "supervisor", subject: "intent", text: "Be brief." },
            },
          ],
        },
      ],
    });
    const row = await chat.w.services.sessions.get(ADA, chat.session);
    const { memory_provenance } = await chat.w.services.health.of(row);
    expect(memory_provenance).toMatchObject([
      { source: "retrieval", subject: "workspace", facts: 2 },
      { source: "memory", subject: "team", facts: 1 },
      { source: "supervisor", subject: "intent", facts: 1 },
    ]);
  });

  it("is written by whoever watches, when time alone has changed it, and once", async () => {
    const time = handTime();
    const hangs = tool(
      "hangs",
      (_, { signal }) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve({ result: "stopped" }))),
      { timeoutMs: 60 * MINUTE },
    );
    const work = await held({
      time,
      tools: [hangs],
      models: [model([{ call: "hangs", with: { what: "x" } }], [DONE])],
      // Renewed by hand-moved timers, it would be lost between two of them.
      limits: { leaseMs: 24 * 60 * MINUTE },
    });
    const { health } = work.w.services;
    const watch = healthWatch({ health, clock: time.clock, timers: time.timers, report: () => {} });
    await watch.start();
    while ((await work.data("agent.tool.batch")).length === 0) await settle();
    expect(await health.nextDue()).toBe(time.clock.now() + 10 * MINUTE);
    await time.advance(9 * MINUTE);
    expect(await snapshots(work)).toEqual([]);
    await time.advance(3 * MINUTE);
    expect(await snapshots(work)).toMatchObject([{ flags: ["stuck"], score: 80 }]);
    expect(await health.nextDue()).toBeNull();
    await time.advance(20 * MINUTE);
    expect(await snapshots(work)).toHaveLength(1);
    await watch.stop();
    expect(work.w.reported).toEqual([]);
  });

  it("is written after what nobody need drive the session for", async () => {
    const work = await held({ limits: { background: 0 } });
    const { kernel } = work.w.services;
    await kernel.pause(ADA, work.session, "not now");
    expect(await snapshots(work)).toMatchObject([{ flags: ["waiting"], status: "paused" }]);
    await kernel.setPolicy(ADA, work.session, { health: { min_score: 10 } });
    expect((await snapshots(work)).at(-1)).toMatchObject({ policy: { health: { min_score: 10 } } });
    await kernel.setPolicy(ADA, work.session, { health: { min_score: 10 } });
    expect(await snapshots(work)).toHaveLength(2);
  });

  it("is of a row that is the fold of the log, and of no branch's parent", async () => {
    const work = await held({ rounds: [[CHANGE], [LOOK], [DONE]] });
    await work.until("awaiting_approval");
    await work.decide("approved");
    await work.until("completed");
    const again = newCarriedHealth();
    for (const event of await everything(work.w.log, work.session))
      absorbHealth(again, event, Date.parse(event.at));
    const row = await work.w.log.row<HealthRow>("health", work.session);
    expect(row?.state).toEqual(again.state);
    expect(row?.said).toBe(again.said);
    const branch = await work.w.services.branches.branch(ADA, work.session, {});
    const fresh = await work.w.services.health.of(branch);
    expect(fresh).toMatchObject({ score: 100, audit: [], usage: { tokens: 0 } });
  });
});

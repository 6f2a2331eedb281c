import { expect, it } from "vitest";
import type { EventLog } from "../../src/ports/event-log.ts";
import { openMemoryStore } from "../../src/stores/memory/open.ts";
import { tool } from "../golden/scene.ts";
import { ADMIN, everything, handTime, world } from "../support/world.ts";

const shared = (log: EventLog): EventLog => ({ ...log, shared: true });

it("a call that another process may still run is lost only when its time is over, and may end after all", async () => {
  const [began, open] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const gate = tool("gate", async () => {
    began.resolve();
    await open.promise;
    return { result: "open" };
  });
  const runner = world({ tools: [{ ...gate, effect: "once" }], wrap: shared });
  const { session_id } = await runner.services.sessions.create(ADMIN, {});
  const called = runner.services.tools.call(ADMIN, session_id, "gate", { what: "x" });
  await began.promise;
  // Its clock stands still: as if it were frozen.
  const time = handTime();
  const other = world({ store: runner.store, time, tools: [gate], mark: "b", wrap: shared });
  const { tools, questions } = other.services;
  const pending = async () => (await questions.list(ADMIN, { session_id, state: "pending" })).rows;
  expect(await tools.recover()).toBe(0);
  await time.advance(((await tools.nextDue()) ?? 0) - time.clock.now());
  expect(await tools.recover()).toBe(1);
  expect(await tools.recover()).toBe(0);
  expect(await pending()).toHaveLength(1);
  // Who runs it does not take it for lost.
  expect(await runner.services.tools.recover()).toBe(0);
  open.resolve();
  expect(await called).toMatchObject({ status: "ok" });
  expect(await pending()).toEqual([]);
  expect(await tools.recover()).toBe(0);
  const ends = (await everything(other.log, session_id)).filter(
    ({ type }) => type === "runtime.tool.direct.completed",
  );
  expect(ends).toMatchObject([{ data: { output: "open" } }]);
});

/** A tool that runs for as long as the test likes, in one process; another looks at it. Time in the store is its own. */
async function apart() {
  const [began, open] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const gate = tool(
    "gate",
    async () => {
      began.resolve();
      await open.promise;
      return { result: "open" };
    },
    { timeoutMs: 600_000 },
  );
  const storeTime = handTime();
  const store = openMemoryStore({ clock: storeTime.clock });
  const runner = world({ store, tools: [{ ...gate, effect: "once" }], wrap: shared });
  const other = world({ store, tools: [gate], mark: "b", wrap: shared });
  const { session_id } = await runner.services.sessions.create(ADMIN, {});
  const called = runner.services.tools.call(ADMIN, session_id, "gate", { what: "x" });
  await began.promise;
  return { runner, other, storeTime, session_id, called, open: open.resolve };
}

it("a call whose process is gone is lost as soon as that is known, long before its time is over", async () => {
  const { other, storeTime, session_id, called, open } = await apart();
  const { tools, questions } = other.services;
  expect(await tools.recover()).toBe(0);
  // Nobody renews it: the process stands still.
  await storeTime.advance(16_000);
  expect(((await tools.nextDue()) ?? 0) - other.time.clock.now()).toBeGreaterThan(60_000);
  expect(await tools.recover()).toBe(1);
  expect(await tools.recover()).toBe(0);
  const { rows } = await questions.list(ADMIN, { session_id, state: "pending" });
  expect(rows).toMatchObject([{ kind: "user_input", tool_name: "gate" }]);
  open();
  expect(await called).toMatchObject({ status: "ok" });
});

it("a call whose process lives is not lost, however long it takes, and the next one is held anew", async () => {
  const { runner, other, storeTime, called, session_id, open } = await apart();
  for (let seconds = 0; seconds < 60; seconds += 3) {
    await storeTime.advance(3_000);
    await runner.time.advance(3_000);
    expect(await other.services.tools.recover()).toBe(0);
  }
  open();
  expect(await called).toMatchObject({ status: "ok" });
  expect(runner.time.waiting()).toBe(0);
  await storeTime.advance(60_000);
  expect(await runner.services.tools.call(ADMIN, session_id, "gate", { what: "y" })).toMatchObject({
    status: "ok",
  });
  expect(await other.services.tools.recover()).toBe(0);
  expect([...runner.reported, ...other.reported]).toEqual([]);
});

import { expect, it } from "vitest";
import type { EventLog } from "../../src/ports/event-log.ts";
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

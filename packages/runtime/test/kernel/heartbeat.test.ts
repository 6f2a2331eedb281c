import { describe, expect, test } from "vitest";
import { tool } from "../golden/scene.ts";
import { settle, type WorldOptions } from "../support/world.ts";
import { ADA, DONE, model, stage } from "./support.ts";

/** Background work in the middle of a tool that takes as long as the test likes. */
async function inLongTool(options: WorldOptions = {}) {
  const [began, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const long = tool("long", async () => {
    began.resolve();
    await gate.promise;
    return { result: "over" };
  });
  const play = await stage(
    {
      tools: [{ ...long, timeoutMs: 3_600_000 }],
      models: [model([{ call: "long", with: { what: "x" } }], [DONE])],
      limits: { leaseMs: 3_000 },
      ...options,
    },
    { permission_mode: "full_access" },
  );
  await began.promise;
  await settle();
  return { ...play, open: gate.resolve };
}

describe("the heartbeat of background work", () => {
  test("goes on while a long tool runs, in rows, lists and the detail, and writes nothing", async () => {
    const { w, session, row, events, data, open, until } = await inLongTool();
    const { clock } = w.time;
    const before = (await events()).length;
    const start = clock.now();
    for (let beats = 0; beats < 60; beats++) await w.time.advance(1_000);
    const [listed] = (await w.services.kernel.list(ADA, {})).rows;
    const shown = [await row(), listed, await w.services.details.session(ADA, session)];
    for (const one of shown) {
      const at = Date.parse(String(one?.state?.last_heartbeat_at));
      expect(at).toBeGreaterThan(start + 50_000);
      expect(at).toBeLessThanOrEqual(clock.now());
    }
    expect(await events()).toHaveLength(before);
    const said = (await data("runtime.session.state")).at(-1);
    expect(Date.parse(String(said?.["last_heartbeat_at"]))).toBe(start);
    open();
    await until("completed");
  });

  test("stands still when its process does", async () => {
    const { w, row, open } = await inLongTool({
      wrap: (log) => ({ ...log, renewLease: () => new Promise<never>(() => {}) }),
    });
    const first = (await row()).state?.last_heartbeat_at;
    await w.time.advance(60_000);
    expect((await row()).state?.last_heartbeat_at).toBe(first);
    open();
    await settle();
  });
});

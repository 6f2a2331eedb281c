import { existsSync } from "node:fs";
import { join } from "node:path";
import type { SessionId } from "@fairlead/contract";
import { describe, expect, test } from "vitest";
import { scriptedModel } from "../../src/models/scripted.ts";
import { cleanUp } from "../../src/services/workspaces/clean-up.ts";
import { delegate } from "../../src/tools/delegate.ts";
import { tool } from "../golden/scene.ts";
import { ADA } from "../kernel/support.ts";
import { countingIds, handTime, settle } from "../support/world.ts";
import { DONE, patiently, put, start, tools, worldOf } from "./support-background.ts";
import { lab } from "./support.ts";

const RULES = [
  { when: "Write it", rounds: [[{ call: "delegate", with: { task: "Make the file." } }], [DONE]] },
  { when: "Make the file", rounds: [[put("child.txt", "c")], [{ say: "Made." }]] },
  {
    when: "Once more",
    rounds: [[{ call: "gate", with: { what: "x" } }], [put("after.txt", "after")], [{ say: "Again." }]],
  },
];

/** Work that is done, with a sub-agent in its place, and a tool that stays open until it is told not to. */
async function delegated() {
  const [began, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const time = handTime();
  const l = lab({ clock: time.clock });
  const open = tool("gate", async () => {
    began.resolve();
    await gate.promise;
    return { result: "open" };
  });
  const w = worldOf(l, [], {
    time,
    tools: [...tools(l), delegate(), open],
    models: [scriptedModel({ script: { rules: RULES } })],
  });
  const play = await start(w);
  const row = await patiently(play, "completed");
  const [inner] = (await w.services.details.chat(ADA, play.session)).subagents;
  await time.advance(10_000);
  return {
    w,
    time,
    session: play.session,
    child: inner?.session_id as SessionId,
    place: String(row.state?.workspace),
    began: began.promise,
    open: gate.resolve,
    clean: () =>
      cleanUp({
        log: w.log,
        ids: countingIds("cleaner"),
        clock: time.clock,
        workspaces: l.workspaces,
        keepMs: 1_000,
        keptMs: 1_000,
        report: (error) => {
          throw error;
        },
      }),
    known: async () => (await l.workspaces.list()).map(({ session_id }) => session_id),
  };
}

describe("the place that a sub-agent works in", () => {
  test("stays while a person speaks to the sub-agent, and goes when that is long over", async () => {
    const scene = await delegated();
    const { w, child, place, clean } = scene;
    await w.services.turns.start(ADA, child, { input: "Once more." });
    await scene.began;
    expect(await clean()).toBe(0);
    expect(existsSync(join(place, "child.txt"))).toBe(true);
    scene.open();
    // Its files are kept by other processes, in their own time.
    await expect
      .poll(async () => (await w.services.sessions.get(ADA, child)).turn_id, { timeout: 15_000 })
      .toBeNull();
    await settle();
    expect(existsSync(join(place, "after.txt"))).toBe(true);
    // Its own session ended long ago; the one that was last at work there did not.
    expect(await clean()).toBe(0);
    await scene.time.advance(10_000);
    expect(await clean()).toBe(1);
    expect(existsSync(place)).toBe(false);
  });

  test("stays while a person runs a tool there", async () => {
    const scene = await delegated();
    const { w, child, place, clean } = scene;
    const called = w.services.tools.call(ADA, child, "gate", { what: "x" });
    await scene.began;
    expect(await clean()).toBe(0);
    expect(existsSync(place)).toBe(true);
    scene.open();
    expect(await called).toMatchObject({ status: "ok" });
    expect(await clean()).toBe(1);
  });

  test("is not forgotten when its own session is gone, while another names it", async () => {
    const { w, time, session, place, clean, known } = await delegated();
    const { state } = await w.services.sessions.get(ADA, session);
    const { session_id: other } = await w.services.sessions.create(ADA, {});
    const { workspace_id = null } = state ?? {};
    const data = { session_id: other, status: "completed", kind: "chat", workspace_id } as const;
    const named = { stream: other, events: [{ type: "runtime.session.state", data }] } as const;
    expect(await w.log.append({ writes: [named] })).toMatchObject({ ok: true });
    await w.services.sessions.purge({ ...ADA, role: "admin" }, session, "over");
    await time.advance(2 * 3_600_000);
    await clean();
    expect(existsSync(place)).toBe(true);
    expect(await known()).toContain(session);
    await w.services.sessions.purge({ ...ADA, role: "admin" }, other, "over");
    await clean();
    expect(existsSync(place)).toBe(false);
    expect(await known()).not.toContain(session);
  });
});

import { describe, expect, it } from "vitest";
import { nativeEngine } from "../../src/engines/native.ts";
import type { Engine } from "../../src/ports/engine.ts";
import type { LogStore } from "../../src/ports/log-store.ts";
import { engineNamed } from "../../src/services/kernel/engines.ts";
import { openMemoryStore } from "../../src/stores/memory/open.ts";
import { errorOf, settle, world } from "../support/world.ts";
import { tool } from "../golden/scene.ts";
import { ADA, DONE, model, stage } from "./support.ts";

const native = nativeEngine(world().services.turns);
const bridge: Engine = {
  ...native,
  id: "claude",
  fidelity: "bridge",
  parks: false,
  missing: () => "its program is not on this machine.",
};

describe("the engine of a session", () => {
  it("is our own where none is named, and says what it can", () => {
    expect(engineNamed([native, bridge])).toBe(native);
    expect(engineNamed([native, bridge], "native")).toMatchObject({ fidelity: "native", parks: true });
  });

  it("is refused by a name that nobody knows, with those that there are", async () => {
    const refused = await errorOf((async () => engineNamed([native, bridge], "steam"))());
    expect(refused).toMatchObject({
      code: "engine_unknown",
      details: { engine: "steam", engines: ["native"] },
    });
  });

  it("is refused with the reason where it is known and cannot be used", async () => {
    const refused = await errorOf((async () => engineNamed([native, bridge], "claude"))());
    expect(refused).toMatchObject({
      code: "engine_not_installed",
      message: expect.stringContaining("its program is not on this machine."),
    });
    // Nobody brought it along.
    expect(await errorOf((async () => engineNamed([native], "codex"))())).toMatchObject({
      code: "engine_not_installed",
    });
  });
});

/** Work of an engine that holds a process while it waits; it is our own loop in all else. */
function unparked(taken: boolean, onRun: () => Promise<void> = async () => {}) {
  const gate = tool("gate", async () => {
    await onRun();
    return { result: "open" };
  });
  return stage(
    {
      engines: (turns) => {
        const own = nativeEngine(turns);
        return [
          own,
          {
            ...own,
            id: "claude",
            fidelity: "bridge",
            parks: false,
            ...(taken ? {} : { wake: async () => false }),
          },
        ];
      },
      tools: [gate],
      models: [model([{ call: "gate", with: { what: "x" } }], [DONE])],
    },
    { engine: "claude", permission_mode: "full_access" },
  );
}

describe("an engine that cannot wait without a process", () => {
  it("is listed as one, beside those that are not here", async () => {
    const { w } = await unparked(false);
    expect(w.services.kernel.engines()).toEqual([
      { id: "native", fidelity: "native", parks: true, installed: true, missing: null },
      { id: "claude", fidelity: "bridge", parks: false, installed: true, missing: null },
      {
        id: "codex",
        fidelity: null,
        parks: null,
        installed: false,
        missing: expect.stringContaining("drives"),
      },
    ]);
  });

  it("is not paused while it is at work: that is refused, nothing is written, and it goes on", async () => {
    const [began, open] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const play = await unparked(true, () => (began.resolve(), open.promise));
    await began.promise;
    await settle();
    const before = (await play.events()).length;
    expect(await errorOf(play.w.services.kernel.pause(ADA, play.session))).toMatchObject({
      code: "engine_cannot_park",
      details: { session_id: play.session, status: "running", engine: "claude" },
    });
    expect(await play.events()).toHaveLength(before);
    open.resolve();
    await play.until("completed");
  });

  it("is paused before it has begun, when it holds nothing", async () => {
    const { w, session } = await unparked(false);
    expect(await w.services.kernel.pause(ADA, session)).toMatchObject({ status: "paused" });
  });
});

/** Work of an engine that is asked for it here, and does it elsewhere; `here` says whether it is installed at all. */
async function foreign(store: LogStore, here: boolean) {
  const asked: string[] = [];
  const w = world({
    store,
    models: [model([DONE])],
    engines: (turns) => {
      const own = nativeEngine(turns);
      const wake = async (session: string) => asked.push(session) > 0;
      const bridge: Engine = { ...own, id: "claude", fidelity: "bridge", parks: false, wake };
      return here ? [own, bridge] : [own];
    },
    mark: here ? "a" : "b",
  });
  return { w, asked };
}

describe("work of another engine", () => {
  it("is never taken up by our own loop: that engine is asked, by whoever finds it", async () => {
    const store = openMemoryStore({ clock: world().time.clock });
    const { w, asked } = await foreign(store, true);
    const { kernel, turns, questions } = w.services;
    const { session_id } = await kernel.start(ADA, { task: "Paint the fence.", engine: "claude" });
    expect(asked.splice(0)).toEqual([session_id]);
    expect(await turns.recover()).toBe(1);
    expect(asked.splice(0)).toEqual([session_id]);
    const asking = await questions.ask(session_id, {
      kind: "approval",
      tool_name: "brush",
      reason: "May it?",
      shown: {},
    });
    await questions.decide(ADA, asking.request_id, { decision: "approved" });
    await settle();
    expect(asked.splice(0)).toEqual([session_id]);
    expect((await kernel.list(ADA, {})).rows).toMatchObject([{ status: "queued", turn_id: null }]);
    // A process that does not have the engine leaves it to those that do.
    const other = await foreign(store, false);
    expect(await other.w.services.turns.recover()).toBe(0);
    await settle();
    expect((await kernel.list(ADA, {})).rows).toMatchObject([{ status: "queued", turn_id: null }]);
  });
});

import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AnyEvent, HookPoint, SessionId } from "@fairlead/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Runtime } from "../../src/create-runtime.ts";
import { is } from "../../src/domain/event.ts";
import { temporaryFolder } from "../stores.ts";
import { ADMIN, everything } from "../support/world.ts";
import { startChild } from "./child.ts";
import { HOOK, openHookScene } from "./hooks-scene.ts";
import { until } from "./tool-kill-scene.ts";

interface Site {
  readonly session: SessionId;
  /** Goes on with the session in this process, to its end. */
  goOn(): Promise<readonly AnyEvent[]>;
  /** How often the tool took effect, and how often the hook ran. */
  counts(): readonly [number, number];
  /** From now on the hook says no. */
  refuse(): void;
}

/** A session whose process was killed with -9 while its hook ran. */
async function killedIn(on: HookPoint): Promise<Site> {
  const [data, work] = [temporaryFolder(), temporaryFolder()];
  const at = (name: string) => join(work.path, name);
  const config = () => rmSync(`${data.path}-config`, { recursive: true, force: true });
  const left: (() => unknown)[] = [data.remove, work.remove, config];
  onTestFinished(async () => {
    for (const undo of left.toReversed()) await undo();
  });
  const open = async (): Promise<Runtime> => {
    const runtime = await openHookScene(data.path, work.path, on);
    left.push(() => runtime.stop());
    return runtime;
  };
  writeFileSync(at("guard.sh"), HOOK);
  chmodSync(at("guard.sh"), 0o755);
  writeFileSync(at("held"), "");
  const first = await open();
  const { services } = first;
  const [row] = await services.hooks.list(ADMIN);
  await services.hooks.trust(ADMIN, "guard", row?.hash ?? "");
  const { session_id: session } = await services.sessions.create(ADMIN, { permission_mode: "full_access" });
  await first.stop();

  const child = startChild("./hooks-child.ts", [data.path, work.path, session, on]);
  const ended = once(child, "close");
  let said = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    said += String(chunk);
    if (said.includes("\n")) child.kill("SIGKILL");
  }
  expect([said, (await ended)[1]]).toEqual(["hooked\n", "SIGKILL"]);
  // The hook itself is another process, and lives on.
  process.kill(Number(readFileSync(at("pid"), "utf8")), "SIGKILL");
  rmSync(at("held"));
  const lines = (name: string) =>
    existsSync(at(name)) ? readFileSync(at(name), "utf8").trim().split("\n").length : 0;
  return {
    session,
    counts: () => [lines("effects.txt"), lines("hooked.txt")],
    refuse: () => writeFileSync(at("refuse"), ""),
    async goOn() {
      const runtime = await open();
      await runtime.start();
      await until(
        () => runtime.services.sessions.get(ADMIN, session),
        ({ turn_id }) => turn_id === null,
      );
      expect((await runtime.log.verify()).broken).toEqual([]);
      return everything(runtime.log, session);
    },
  };
}

function endOf(events: readonly AnyEvent[]): unknown {
  return events.findLast((event) => is(event, "runtime.turn.ended"))?.data;
}

const statuses = (events: readonly AnyEvent[]) =>
  events.flatMap((event) => (is(event, "runtime.hook.event") ? [event.data.status] : []));

const AGAIN = ["started", "started", "completed"];

describe("a process killed with -9 inside a hook", { timeout: 60_000 }, () => {
  it.each([
    ["turn_start", 0, AGAIN],
    ["before_tool", 0, AGAIN],
    ["after_tool", 1, ["pending", ...AGAIN]],
    ["turn_end", 1, AGAIN],
  ] as const)("%s: the next one runs the hook again, and the tool once in all", async (on, before, said) => {
    const site = await killedIn(on);
    expect(site.counts()).toEqual([before, 1]);
    const events = await site.goOn();
    expect(site.counts()).toEqual([1, 2]);
    expect(endOf(events)).toMatchObject({ status: "completed" });
    expect(statuses(events)).toEqual(said);
  });

  it.each([
    ["turn_start", 0, "failed"],
    ["before_tool", 0, "completed"],
    ["after_tool", 1, "failed"],
    ["turn_end", 1, "failed"],
  ] as const)("%s: what the hook says then is what counts", async (on, effects, status) => {
    const site = await killedIn(on);
    site.refuse();
    const events = await site.goOn();
    expect(site.counts()).toEqual([effects, 2]);
    expect(endOf(events)).toMatchObject({ status });
    expect(statuses(events).at(-1)).toBe("blocked");
    const outcomes = events.flatMap((event) => (is(event, "agent.tool.outcome") ? [event.data.status] : []));
    expect(outcomes).toEqual(on === "turn_start" ? [] : [on === "before_tool" ? "denied" : "ok"]);
    const asked = events.filter((event) => is(event, "agent.output.completed")).length;
    // After a tool whose result is withheld, no model is asked.
    expect(asked).toBe({ turn_start: 0, before_tool: 2, after_tool: 1, turn_end: 2 }[on]);
  });
});

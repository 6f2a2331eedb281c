import type { AnyEvent, SessionId, SessionStatus } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import type { Runtime, StoreChoice } from "../../src/create-runtime.ts";
import { KERNEL_TABLE, type KernelState } from "../../src/domain/kernel/table.ts";
import { temporaryFolder } from "../stores.ts";
import { freshDatabase } from "../support/postgres.ts";
import { ADMIN, everything } from "../support/world.ts";
import { openHolding, operate, queueHolding, type Way, WAYS } from "./holding-scene.ts";
import type { Place } from "./killing.ts";
import { playIn } from "./play.ts";

/** Most of a kill is the start of the process. More, and a lease of half a second is too short for all of them. */
const AT_ONCE = 16;

interface Site extends Place {
  remove(): void;
}

type Choose = (data: string) => Promise<StoreChoice>;

async function site(choose: Choose, way: Way): Promise<Site> {
  const data = temporaryFolder();
  const work = temporaryFolder();
  const store = await choose(data.path);
  const session = await queueHolding(store, work.path, way);
  return { store, workspace: work.path, session, remove: () => (data.remove(), work.remove()) };
}

const play = (places: readonly Place[], way: Way, when = "") =>
  playIn("./holding-child.ts", places, when, way);

function dataOf(events: readonly AnyEvent[], type: string): Record<string, unknown>[] {
  return events.filter((event) => event.type === type).map((event) => event.data as Record<string, unknown>);
}

/** Goes on where the child was killed, and looks at all that must hold. */
async function goOn(at: Site, way: Way): Promise<void> {
  const runtime = await openHolding(at.store, at.workspace);
  try {
    await runtime.start();
    expect(await operate(runtime, at.session, way)).toBe("completed");
    expect((await runtime.log.verify()).broken).toEqual([]);
    const root = await everything(runtime.log, at.session);
    expectOneTurn(root);
    expectStates(dataOf(root, "runtime.session.state").map(({ status }) => status as SessionStatus));
    const checkpoints = dataOf(root, "runtime.session.checkpoint");
    expect(checkpoints.map(({ sequence }) => sequence)).toEqual(checkpoints.map((_, i) => i + 1));
    await expectAgents(runtime, root);
    expectHeld(root, way);
    const { rows } = await runtime.services.questions.list(ADMIN, { state: "pending" });
    expect(rows).toEqual([]);
  } finally {
    await runtime.stop();
  }
}

/** It was made to wait, and somebody has had their say about it. */
function expectHeld(root: readonly AnyEvent[], way: Way): void {
  const enforced = dataOf(root, "runtime.policy.decision").filter(
    ({ subject }) => subject === "health_policy",
  );
  const asked = dataOf(root, "runtime.question.asked").map(({ request_id }) => request_id);
  const decided = dataOf(root, "runtime.question.decided").map(({ request_id }) => request_id);
  expect(decided).toEqual(asked);
  expect(enforced).toHaveLength(way === "operator" ? 0 : 1);
  expect(asked).toHaveLength(way === "approval_request" ? 1 : 0);
  const paused = dataOf(root, "runtime.session.pausing");
  expect(paused).toHaveLength(way === "approval_request" ? 0 : 1);
  if (way !== "approval_request") expect(dataOf(root, "runtime.session.resuming")).toHaveLength(1);
}

/** Each was started once and ended once, with one turn; while it was told to wait it began nothing. */
async function expectAgents(runtime: Runtime, root: readonly AnyEvent[]): Promise<void> {
  const said = dataOf(root, "runtime.subagent.event");
  for (const agent of ["subagent_1", "subagent_2"]) {
    const own = said.filter(({ agent_id }) => agent_id === agent);
    expect(own.filter(({ status }) => status === "started")).toHaveLength(1);
    expect(own.filter(({ status }) => status === "completed")).toHaveLength(1);
    const events = await everything(runtime.log, own[0]?.["session_id"] as SessionId);
    expectOneTurn(events);
    expectStill(events);
  }
}

/** From the word to wait until the word to go on, only what was under way is finished: also where that was its end. */
function expectStill(events: readonly AnyEvent[]): void {
  let waits = false;
  let answers = 0;
  for (const { type } of events) {
    if (type === "runtime.session.pausing") [waits, answers] = [true, 0];
    if (type === "runtime.session.resuming") waits = false;
    if (waits && type === "agent.output.completed") answers += 1;
    expect(answers).toBeLessThanOrEqual(1);
  }
}

function expectOneTurn(events: readonly AnyEvent[]): void {
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
  const ends = dataOf(events, "runtime.turn.ended").filter(({ status }) => status !== "parked");
  expect(ends).toMatchObject([{ status: "completed" }]);
  const started = dataOf(events, "agent.tool.start").map(({ tool_call_id }) => tool_call_id);
  const outcomes = dataOf(events, "agent.tool.outcome").map(({ tool_call_id }) => tool_call_id);
  expect(outcomes.toSorted()).toEqual([...new Set(started)].toSorted());
}

/** Each state was left for one that the table leads to. */
function expectStates(statuses: readonly SessionStatus[]): void {
  for (const [i, to] of statuses.slice(1).entries()) {
    const from = statuses[i] as KernelState;
    const ways = Object.values(KERNEL_TABLE[from]).flatMap((way) => ("to" in way ? [way.to] : []));
    if (from !== to) expect(ways).toContain(to);
  }
}

const STORES: readonly [string, Choose, number][] = [
  ["SQLite", async (sqlite) => ({ sqlite }), 1],
  ["PostgreSQL", async () => ({ postgres: await freshDatabase() }), 7],
];
const CASES = Object.keys(WAYS).flatMap((way) => [
  [way as Way, "before"] as const,
  [way as Way, "after"] as const,
]);

describe.each(STORES)("work that waits with its sub-agents, on %s", (_, choose, stride) => {
  it.each(CASES)(
    "by %s comes to its end, whichever append its process was killed with -9 %s",
    async (way, when) => {
      const whole = await site(choose, way);
      const [appends] = (await play([whole], way)) as [number];
      await goOn(whole, way);
      whole.remove();
      expect(appends).toBeGreaterThan(20);
      // What is there before an append is there after the one before it: these show what was done in between.
      const step = when === "before" ? stride * 3 : stride;
      const all = Array.from({ length: Math.ceil(appends / step) }, (_, i) => 1 + i * step);
      let kills = 0;
      for (let i = 0; i < all.length; i += AT_ONCE) {
        const places = await Promise.all(
          all.slice(i, i + AT_ONCE).map(async (nth) => ({ ...(await site(choose, way)), nth })),
        );
        kills += (await play(places, way, when)).filter((end) => end === "reached").length;
        await Promise.all(places.map((place) => goOn(place, way)));
        for (const place of places) place.remove();
      }
      expect(kills).toBeGreaterThan(all.length / 2);
    },
    300_000,
  );
});

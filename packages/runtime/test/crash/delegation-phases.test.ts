import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AnyEvent, SessionId } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import { type Runtime, type StoreChoice } from "../../src/create-runtime.ts";
import { is } from "../../src/domain/event.ts";
import { temporaryFolder } from "../stores.ts";
import { freshDatabase } from "../support/postgres.ts";
import { ADMIN, everything } from "../support/world.ts";
import { startChild } from "./child.ts";
import { AGENTS, ANSWER, openDelegation } from "./delegation-scene.ts";
import type { Place } from "./killing.ts";
import { type Answer, playOut } from "./turn-scene.ts";

/** Most of a kill is the start of the process. More, and a lease of half a second is too short for all of them. */
const AT_ONCE = 16;
const ANSWERS = ["happened", "run_again", "give_up"] as const;
const ENDS: readonly string[] = ["completed", "failed", "cancelled"];

interface Site extends Place {
  remove(): void;
}

async function site(choose: (data: string) => Promise<StoreChoice>): Promise<Site> {
  const data = temporaryFolder();
  const work = temporaryFolder();
  const store = await choose(data.path);
  const runtime = await openDelegation(store, work.path);
  const { session_id: session } = await runtime.services.sessions.create(ADMIN, {});
  await runtime.stop();
  return { store, workspace: work.path, session, remove: () => (data.remove(), work.remove()) };
}

type Ending = "end" | "cancel";

async function play(
  places: readonly Place[],
  ending: Ending,
  when = "",
): Promise<{ ends: unknown[]; signal: string | null }> {
  const child = startChild("./delegation-child.ts", [JSON.stringify(places), when, ending]);
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (said += chunk));
  const [, signal] = (await once(child, "close")) as [number | null, string | null];
  return { ends: JSON.parse(said) as unknown[], signal };
}

function sends(workspace: string): number {
  try {
    const lines = readFileSync(join(workspace, "effects.txt"), "utf8").split("\n");
    return lines.filter((line) => line.startsWith("send")).length;
  } catch {
    return 0;
  }
}

/** Goes on where the child was killed. What became of the turn; undefined when it was killed before that was on record. */
async function goOn(at: Site, answer: Answer): Promise<string | undefined> {
  const runtime = await openDelegation(at.store, at.workspace);
  try {
    await runtime.start();
    await playOut(runtime, at.session, answer);
    expect((await runtime.log.verify()).broken).toEqual([]);
    const root = await everything(runtime.log, at.session);
    if (!root.some(({ type }) => type === "runtime.request.started")) return undefined;
    const end = expectOneEnd(root);
    if (end === "completed")
      expect(dataOf(root, "runtime.request.completed")).toMatchObject([{ output: ANSWER }]);
    await expectAgents(runtime, root, end);
    const lost = (await runtime.services.questions.list(ADMIN, { kind: "user_input" })).rows;
    expect(sends(at.workspace)).toBeLessThanOrEqual(answer === "run_again" ? 1 + lost.length : 1);
    const pending = await runtime.services.questions.list(ADMIN, { state: "pending" });
    expect(pending.rows).toEqual([]);
    return end;
  } finally {
    await runtime.stop();
  }
}

/** Each was started once at most, and ended as often, with one session, one turn and one outcome. */
async function expectAgents(runtime: Runtime, root: readonly AnyEvent[], end: string): Promise<void> {
  const { rows } = await runtime.services.sessions.list(ADMIN, { kind: "subagent" });
  const said = root.filter((event) => is(event, "runtime.subagent.event")).map(({ data }) => data);
  let found = 0;
  for (const agent of AGENTS) {
    const own = said.filter(({ agent_id }) => agent_id === agent);
    // Where it was cancelled, it may have come too early for some of them.
    if (own.length === 0 && end === "cancelled") continue;
    found += 1;
    expect(own.filter(({ status }) => status === "started")).toHaveLength(1);
    const ends = own.filter(({ status }) => ENDS.includes(status)).map(({ status }) => status);
    expect(ends).toEqual([expectOneEnd(await everything(runtime.log, own[0]?.session_id as SessionId))]);
    if (end === "completed") expect(ends).toEqual(["completed"]);
  }
  expect(rows).toHaveLength(found);
}

/** How the one turn of a session ended. */
function expectOneEnd(events: readonly AnyEvent[]): string {
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
  const ends = dataOf(events, "runtime.turn.ended").filter(({ status }) => status !== "parked");
  expect(ends).toHaveLength(1);
  const started = dataOf(events, "agent.tool.start").map(({ tool_call_id }) => tool_call_id);
  const outcomes = dataOf(events, "agent.tool.outcome").map(({ tool_call_id }) => tool_call_id);
  expect(outcomes.toSorted()).toEqual([...new Set(started)].toSorted());
  return String(ends[0]?.["status"]);
}

function dataOf(events: readonly AnyEvent[], type: string): Record<string, unknown>[] {
  return events.filter((event) => event.type === type).map((event) => event.data as Record<string, unknown>);
}

const STORES: readonly [string, (data: string) => Promise<StoreChoice>][] = [
  ["SQLite", async (sqlite) => ({ sqlite })],
  ["PostgreSQL", async () => ({ postgres: await freshDatabase() })],
];
const CASES = [
  ["end", "before"],
  ["end", "after"],
  ["cancel", "before"],
  ["cancel", "after"],
] as const;

describe.each(STORES)("a session that delegates, whose process is killed with -9, on %s", (name, choose) => {
  it.each(CASES)(
    "comes to its %s, whichever append of it or of its sub-agents it was killed %s",
    async (ending, when) => {
      const whole = await site(choose);
      const { ends, signal } = await play([whole], ending);
      expect(signal).toBeNull();
      expect(await goOn(whole, "give_up")).toBe(ending === "end" ? "completed" : "cancelled");
      whole.remove();
      const appends = Number(ends[0]);
      expect(appends).toBeGreaterThan(12);
      // On PostgreSQL the same code runs over another store: a few places show that.
      const stride = name === "SQLite" ? 1 : 9;
      const seen = new Set<string | undefined>();
      let kills = 0;
      const all = Array.from({ length: Math.ceil(appends / stride) }, (_, i) => 1 + i * stride);
      for (let i = 0; i < all.length; i += AT_ONCE) {
        const places = await Promise.all(
          all.slice(i, i + AT_ONCE).map(async (nth) => ({ ...(await site(choose)), nth })),
        );
        const played = await play(places, ending, when);
        for (const [k, at] of places.entries()) {
          // Sub-agents take turns as they come, so the last runs may have fewer appends.
          if (played.ends[k] !== "reached") expect(at.nth).toBeGreaterThan(appends / 2);
          else kills += 1;
          const end = await goOn(at, ANSWERS[at.nth % ANSWERS.length] as Answer);
          if (ending === "end") expect(end).toBe(at.nth <= 2 ? end : "completed");
          seen.add(end);
          at.remove();
        }
        expect(played.signal).toBe(played.ends.includes("reached") ? "SIGKILL" : null);
      }
      expect(kills).toBeGreaterThan(appends / stride / 2);
      // Who was killed before it was told to end goes on; who was told, ends.
      if (ending === "cancel" && stride === 1)
        for (const met of ["completed", "cancelled"]) expect([...seen]).toContain(met);
    },
    300_000,
  );
});

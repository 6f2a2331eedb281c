import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AnyEvent } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import type { StoreChoice } from "../../src/create-runtime.ts";
import { temporaryFolder } from "../stores.ts";
import { freshDatabase } from "../support/postgres.ts";
import { ADMIN, everything } from "../support/world.ts";
import { startChild } from "./child.ts";
import type { Place } from "./killing.ts";
import { ANSWER, type Answer, openScene, playOut } from "./turn-scene.ts";

/** Most of a kill is the start of the process, so that each is killed in several places at once. */
const AT_ONCE = 12;
/** In the middle of an answer, and while each wave of calls runs: which append that is differs by run. */
const PHASES = [
  { type: "agent.output.delta", times: 1 },
  ...[1, 2, 3].map((times) => ({ type: "agent.tool.batch", times })),
];
const ANSWERS = ["happened", "run_again", "give_up"] as const;

interface Site extends Place {
  remove(): void;
}

async function site(choose: (data: string) => Promise<StoreChoice>): Promise<Site> {
  const data = temporaryFolder();
  const work = temporaryFolder();
  const store = await choose(data.path);
  const runtime = await openScene(store, work.path);
  const { session_id } = await runtime.services.sessions.create(ADMIN, {});
  await runtime.stop();
  return {
    store,
    workspace: work.path,
    session: session_id,
    remove: () => (data.remove(), work.remove()),
  };
}

/** How each place came out, and the signal that ended the process: one plays a turn in each, all at once. */
async function play(
  places: readonly Place[],
  when = "",
): Promise<{ ends: unknown[]; signal: string | null }> {
  const child = startChild("./turn-child.ts", [JSON.stringify(places), when]);
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (said += chunk));
  const [, signal] = (await once(child, "close")) as [number | null, string | null];
  return { ends: JSON.parse(said) as unknown[], signal };
}

function dataOf(events: readonly AnyEvent[], type: string): Record<string, unknown>[] {
  return events.filter((event) => event.type === type).map((event) => event.data as Record<string, unknown>);
}

/** How often each effect took place. */
function effectsOf(workspace: string): Record<string, number> {
  let text = "";
  try {
    text = readFileSync(join(workspace, "effects.txt"), "utf8");
  } catch {
    // Nothing happened yet.
  }
  const counts: Record<string, number> = {};
  for (const line of text.split("\n").filter(Boolean)) counts[line] = (counts[line] ?? 0) + 1;
  return counts;
}

/** Goes on where the child was killed, and looks at all that must hold. */
async function goOn(at: Site, answer: Answer): Promise<readonly AnyEvent[]> {
  const runtime = await openScene(at.store, at.workspace);
  try {
    await runtime.start();
    await playOut(runtime, at.session, answer);
    const events = await everything(runtime.log, at.session);
    expect((await runtime.log.verify()).broken).toEqual([]);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
    expectTurns(events);
    expectCalls(events, effectsOf(at.workspace), answer);
    expectText(events);
    return events;
  } finally {
    await runtime.stop();
  }
}

/** Every turn that began has one end, and what was said is heard once. */
function expectTurns(events: readonly AnyEvent[]): void {
  const begun = dataOf(events, "runtime.request.started").map(({ turn_id }) => turn_id);
  const ends = dataOf(events, "runtime.turn.ended").filter(({ status }) => status !== "parked");
  expect(ends.map(({ turn_id }) => turn_id)).toEqual(begun);
  expect(ends.map(({ status }) => status)).toEqual(begun.map(() => "completed"));
  expect(dataOf(events, "runtime.request.completed")).toHaveLength(begun.length);
  const said = dataOf(events, "runtime.input.queued").map(({ input_id }) => input_id);
  const heard = [
    ...dataOf(events, "runtime.input.taken").map(({ input_id }) => input_id),
    ...dataOf(events, "runtime.request.started").flatMap(({ input_id }) => input_id ?? []),
  ];
  expect(heard.toSorted()).toEqual(said.toSorted());
}

/** One outcome for each call that was started, and no effect twice without a person's word. */
function expectCalls(events: readonly AnyEvent[], effects: Record<string, number>, answer: Answer): void {
  const started = new Set(dataOf(events, "agent.tool.start").map(({ tool_call_id }) => tool_call_id));
  const outcomes = dataOf(events, "agent.tool.outcome").map(({ tool_call_id }) => tool_call_id);
  expect(outcomes.toSorted()).toEqual([...started].toSorted());
  const asked = dataOf(events, "runtime.question.asked");
  const decided = dataOf(events, "runtime.question.decided").map(({ request_id }) => request_id);
  expect(decided).toEqual(asked.map(({ request_id }) => request_id));
  const once = asked.map(({ tool_call_id, kind }) => `${String(tool_call_id)} ${String(kind)}`);
  expect(new Set(once).size).toBe(once.length);
  const lost = asked.filter(({ kind }) => kind === "user_input");
  const sent = Object.entries(effects).filter(([line]) => line.startsWith("send"));
  for (const [, times] of sent)
    expect(times).toBeLessThanOrEqual(answer === "run_again" ? 1 + lost.length : 1);
  // Asked only about what must not be done twice, and only where it had begun.
  for (const { tool_name } of lost) expect(tool_name).toBe("send");
  for (const [verdict, tool] of [
    ["safe", /look|peek/],
    ["rerun", /put/],
    ["ask", /send/],
  ] as const)
    for (const said of dataOf(events, "runtime.effect.verdict").filter((one) => one["verdict"] === verdict))
      expect(said["tool_name"]).toMatch(tool);
}

/** What was cut off is marked, so that the words that count are the ones that were said. */
function expectText(events: readonly AnyEvent[]): void {
  const dropped = dataOf(events, "agent.output.superseded").map(({ step, attempt }) => `${step}/${attempt}`);
  for (const started of events.filter(({ type }) => type === "runtime.request.started")) {
    const own = events.filter(({ turn_id }) => turn_id === started.turn_id);
    for (const { step, attempt, text } of dataOf(own, "agent.output.completed")) {
      const words = dataOf(own, "agent.output.delta")
        .filter((delta) => delta["step"] === step)
        .filter(
          (delta) => delta["attempt"] === attempt || !dropped.includes(`${step}/${String(delta["attempt"])}`),
        );
      expect(words.map((delta) => delta["text"]).join("")).toBe(text);
    }
  }
  const [first] = dataOf(events, "runtime.request.completed");
  if (first !== undefined) expect([ANSWER, "Heard."]).toContain(first["output"]);
}

const STORES: readonly [string, (data: string) => Promise<StoreChoice>][] = [
  ["SQLite", async (sqlite) => ({ sqlite })],
  ["PostgreSQL", async () => ({ postgres: await freshDatabase() })],
];

describe.each(STORES)("a turn whose process is killed with -9, on %s", (name, choose) => {
  it.each(["before", "after"])(
    "ends right, whichever of its appends it was killed %s",
    async (when) => {
      const whole = await site(choose);
      const { ends, signal } = await play([whole]);
      expect(signal).toBeNull();
      await goOn(whole, "give_up");
      whole.remove();
      const appends = Number(ends[0]);
      expect(appends).toBeGreaterThan(10);
      // On PostgreSQL the same code runs over another store: a few places show that.
      const stride = name === "SQLite" ? 1 : 6;
      const met = new Set<unknown>();
      let kills = 0;
      const all: Pick<Place, "nth" | "seen">[] = [
        ...Array.from({ length: Math.ceil(appends / stride) }, (_, i) => ({ nth: 1 + i * stride })),
        ...PHASES.map((seen) => ({ seen })),
      ];
      for (let i = 0; i < all.length; i += AT_ONCE) {
        const places = await Promise.all(
          all.slice(i, i + AT_ONCE).map(async (kill) => ({ ...(await site(choose)), ...kill })),
        );
        const { ends, signal } = await play(places, when);
        for (const [k, at] of places.entries()) {
          // Deltas are put together as they come, so the last runs may have fewer appends.
          if (ends[k] !== "reached") expect(at.nth ?? 0).toBeGreaterThan(appends / 2);
          else kills += 1;
          const events = await goOn(at, ANSWERS[(i + k) % ANSWERS.length] as Answer);
          for (const { verdict } of dataOf(events, "runtime.effect.verdict")) met.add(verdict);
          if (dataOf(events, "agent.output.superseded").length > 0) met.add("superseded");
          at.remove();
        }
        expect(signal).toBe(ends.includes("reached") ? "SIGKILL" : null);
      }
      expect(kills).toBeGreaterThan(appends / stride / 2);
      // Each of these is met on the way, or the kills would have proved little.
      for (const one of ["safe", "rerun", "ask", "superseded"]) expect([...met]).toContain(one);
    },
    300_000,
  );
});

import type { SessionStatus } from "@fairlead/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ENDED, KERNEL_TABLE, type KernelState } from "../../src/domain/kernel/table.ts";
import type { Step } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import type { EventLog } from "../../src/ports/event-log.ts";
import type { LogStore } from "../../src/ports/log-store.ts";
import { openMemoryStore } from "../../src/stores/memory/open.ts";
import { loadCarried } from "../../src/services/loop/load.ts";
import { look, writer } from "../golden/scene.ts";
import { type HandTime, type World, handTime, settle, world } from "../support/world.ts";
import { ADA, BUSY, CHANGE, DONE, LOOK, REFUSED, type Stage, staged } from "./support.ts";

const OPS = [
  "pause",
  "resume",
  "cancel",
  "approve",
  "deny",
  "steer",
  "recover",
  "wait",
  "crash",
  "stop",
] as const;
type Op = (typeof OPS)[number];

/** What the model does in turn, over all processes. */
const STEPS: readonly Step[] = [LOOK, CHANGE, BUSY, REFUSED, DONE];

interface Life {
  readonly w: World;
  /** From here on nothing that this process does reaches the log. */
  kill(): void;
}

function born(store: LogStore, time: HandTime, mark: string, steps: readonly Step[]): Life {
  let dead = false;
  const never = () => new Promise<never>(() => {});
  const wrap = (log: EventLog): EventLog => ({
    ...log,
    append: (append) => (dead ? never() : log.append(append)),
    renewLease: (lease, ttl) => (dead ? never() : log.renewLease(lease, ttl)),
    releaseLease: (lease) => (dead ? never() : log.releaseLease(lease)),
    acquireLease: (...args) => (dead ? never() : log.acquireLease(...args)),
  });
  let calls = 0;
  const scripts = steps.map((step) => scriptedModel({ script: { rules: [{ do: [step] }] } }));
  const last = scriptedModel({ script: { rules: [{ do: [DONE] }] } });
  // A model of one's own is asked as often as the loop likes.
  const model = {
    ...last,
    stream: (...args: Parameters<typeof last.stream>) => (scripts[calls++] ?? last).stream(...args),
  };
  const w = world({ store, time, mark, wrap, tools: [look, writer], models: [model] });
  return { w, kill: () => void (dead = true) };
}

/** Who waits for another to let go waits a moment at a time. */
async function whileTimePasses<T>(time: HandTime, work: Promise<T>): Promise<T> {
  let done = false;
  void work.finally(() => (done = true));
  for (let moments = 0; moments < 100 && !done; moments++) {
    await settle();
    if (!done) await time.advance(20);
  }
  return work;
}

/** One thing that an operator, time or misfortune does. */
async function perform(op: Op, play: Stage): Promise<void> {
  const { kernel, turns, questions } = play.w.services;
  const pending = async () =>
    (await questions.list(ADA, { session_id: play.session, state: "pending" })).rows;
  const attempt = async (work: Promise<unknown>): Promise<void> => {
    const refused = await whileTimePasses(
      play.w.time,
      work.then(
        () => undefined,
        (error: { code?: string }) => error.code,
      ),
    );
    if (refused === undefined) return;
    expect(["session_ended", "session_state", "turn_not_found", "question_decided"]).toContain(refused);
  };
  switch (op) {
    case "pause":
    case "resume":
    case "cancel":
      return attempt(kernel[op](ADA, play.session));
    case "approve":
    case "deny":
      for (const { request_id, kind } of await pending())
        await attempt(
          questions.decide(ADA, request_id, {
            decision: op === "approve" ? "approved" : "denied",
            ...(kind === "approval" || op === "deny" ? {} : { answer: { outcome: "run_again" } }),
          }),
        );
      return;
    case "steer":
      return attempt(turns.steer(ADA, play.session, { input: "And mind the gap." }));
    case "recover":
      await turns.recover();
      return;
    case "wait":
      return play.w.time.advance(60_000);
    case "crash":
    case "stop":
      return;
  }
}

async function live(steps: readonly Step[], ops: readonly Op[], retries: number): Promise<void> {
  const time = handTime();
  const store = openMemoryStore({ clock: time.clock });
  let life = born(store, time, "a", steps);
  const first = await life.w.services.kernel.start(ADA, { task: "Live.", max_retries: retries });
  let play = staged(life.w, first);
  for (const [i, op] of ops.entries()) {
    if (op === "crash" || op === "stop") {
      if (op === "stop") await life.w.services.turns.stop("It stops.");
      life.kill();
      // Its leases run out.
      await time.advance(10_000);
      life = born(store, time, `p${i}x`, steps.slice(i));
      play = staged(life.w, first);
    } else await perform(op, play);
    await settle();
    await demand(play, op);
  }
  await drain(play);
  expect(life.w.reported).toEqual([]);
}

/** What holds at every moment. */
async function demand(play: Stage, op: string): Promise<void> {
  const statuses = (await play.data("runtime.session.state")).map(({ status }) => status as SessionStatus);
  for (const [i, to] of statuses.slice(1).entries()) {
    const from = statuses[i] as KernelState;
    const ways = Object.values(KERNEL_TABLE[from]).flatMap((way) => ("to" in way ? [way.to] : []));
    if (from !== to) expect({ op, from, ways }).toMatchObject({ ways: expect.arrayContaining([to]) });
  }
  const row = await play.row();
  expect({ op, row: row.status }).toEqual({ op, row: statuses.at(-1) });
  const numbers = (await play.data("runtime.session.checkpoint")).map(({ sequence }) => sequence);
  expect(numbers).toEqual(numbers.map((_, i) => i + 1));
  const ended = ENDED.has(row.status);
  expect({ op, ended_at: row.state?.ended_at !== null }).toEqual({ op, ended_at: ended });
  if (ended) expect({ op, turn: row.turn_id }).toEqual({ op, turn: null });
}

/** Whatever has happened, it comes to an end once people and time let it. */
async function drain(play: Stage): Promise<void> {
  for (let looks = 0; looks < 60; looks++) {
    const { status } = await play.row();
    if (ENDED.has(status)) break;
    if (status === "paused") await perform("resume", play);
    await perform("approve", play);
    await play.w.time.advance(600_000);
    await perform("recover", play);
    await settle();
  }
  await settle();
  await demand(play, "drain");
  expect(ENDED.has((await play.row()).status)).toBe(true);
  // Nothing is left that anybody would take up, or be asked about.
  expect(await play.w.services.turns.recover()).toBe(0);
  expect(
    (await play.w.services.questions.list(ADA, { session_id: play.session, state: "pending" })).rows,
  ).toEqual([]);
  const { state } = await loadCarried(play.w.log, play.session);
  expect([state.turn, state.held]).toEqual([null, []]);
  expect(state.settings?.status).toBe((await play.row()).status);
}

describe("background work, whatever is done to it", () => {
  it("moves as the table says, and ends", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...STEPS), { maxLength: 6 }),
        fc.array(fc.constantFrom(...OPS), { maxLength: 14 }),
        fc.integer({ min: 0, max: 3 }),
        (steps, ops, retries) => live(steps, ops, retries),
      ),
      { numRuns: 60 },
    );
  }, 120_000);
});

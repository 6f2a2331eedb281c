import type { SessionId } from "@fairlead/contract";
import { expect, it, onTestFinished } from "vitest";
import { accountsOf, dayKey, type DayRow } from "../../src/domain/budget/day.ts";
import { openSqliteStore } from "../../src/stores/sqlite/open.ts";
import { ADA, DONE, model } from "../kernel/support.ts";
import { temporaryFolder } from "../stores.ts";
import { everything, handTime, settle, type World, type WorldOptions, world } from "../support/world.ts";

const LIMIT = 40_000;
const BUDGETS = { projects: { shop: { tokens: LIMIT } } };

/** Worlds over one database, of which only the last one's time goes on: the others are as good as dead. */
function place(options: WorldOptions) {
  const folder = temporaryFolder();
  const now = { at: handTime() };
  const store = openSqliteStore({ dir: folder.path, clock: { now: () => now.at.clock.now() } });
  const made: World[] = [];
  onTestFinished(async () => {
    for (const { services } of made) await services.turns.stop("The test is over.");
    await made[0]?.log.close();
    folder.remove();
  });
  const [account] = accountsOf(BUDGETS, { project: "shop", created_by: null });
  return {
    next(): World {
      now.at = handTime(now.at.clock.now() + 3_600_000);
      const one = world({ ...options, store, budgets: BUDGETS, time: now.at, mark: `${made.length}k` });
      made.push(one);
      return one;
    },
    day: (log: World["log"]) =>
      log.row<DayRow>("budget-day", dayKey(account?.stream ?? "", "2026-01-01")) as Promise<DayRow>,
  };
}

async function reserved(w: World, session: SessionId, times: number): Promise<void> {
  for (let looks = 0; looks < 500; looks++) {
    await settle();
    const all = await everything(w.log, session);
    if (all.filter(({ type }) => type === "runtime.budget.reserved").length === times) return;
  }
  throw new Error(`nothing was put aside ${times} times`);
}

it("counts each call that is lost with its process, and is not passed by the next one", async () => {
  const { next, day } = place({ models: [model([{ hang: true }])] });
  let w = next();
  const { session_id } = await w.services.kernel.start(ADA, { task: "Go.", project: "shop" });
  const spent: number[] = [];
  for (let losses = 0; losses < 3; losses++) {
    await reserved(w, session_id, losses + 1);
    const { tokens, held } = await day(w.log);
    const aside = Object.values(held).map((one) => one.tokens);
    // The call under way is put aside, beside all that were lost.
    expect(aside).toHaveLength(1);
    expect(tokens).toBe(spent.reduce((sum, one) => sum + one, 0));
    expect(tokens + aside[0]!).toBeLessThanOrEqual(LIMIT);
    spent.push(aside[0]!);
    w = next();
    await w.services.turns.recover();
  }
  expect(spent[2]).toBeLessThan(spent[0]!);
});

it("counts a call that broke off before the one of the model that stands in", async () => {
  const breaks = { ...model([{ say: "Half" }, { cut: true }]), id: "breaks" };
  const asked: (number | undefined)[] = [];
  const stands = model([DONE]);
  const other = {
    ...stands,
    id: "other",
    name: "other",
    async *stream(...[request, signal]: Parameters<typeof stands.stream>) {
      asked.push(request.max_output_tokens);
      yield* stands.stream(request, signal);
    },
  };
  const { next, day } = place({ models: [breaks, other], fallbacks: ["other"] });
  const w = next();
  const { session_id } = await w.services.sessions.create(ADA, { project: "shop" });
  for (let turns = 1; turns <= 3; turns++) {
    await w.services.turns.start(ADA, session_id, { input: "Go." });
    for (let looks = 0; looks < 500; looks++) {
      await settle();
      const all = await everything(w.log, session_id);
      if (all.filter(({ type }) => type === "runtime.turn.ended").length === turns) break;
    }
  }
  // What broke off the third time was all that was left.
  expect(asked).toHaveLength(2);
  const { tokens, held } = await day(w.log);
  expect(held).toEqual({});
  expect(tokens).toBeLessThanOrEqual(LIMIT);
});

import type { AnyEvent, SessionId } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import { is } from "../../src/domain/event.ts";
import type { Place } from "../crash/killing.ts";
import { playIn } from "../crash/play.ts";
import { temporaryFolder } from "../stores.ts";
import { ADMIN, everything } from "../support/world.ts";
import { AGENTS, charged, LIMIT_USD, openBudget, playOut, queueWork } from "./scene.ts";

interface Site extends Place {
  remove(): void;
}

async function site(nth?: number): Promise<Site> {
  const data = temporaryFolder();
  const work = temporaryFolder();
  const store = { sqlite: data.path };
  const session = await queueWork(store, work.path);
  const place = { store, workspace: work.path, session, ...(nth === undefined ? {} : { nth }) };
  return { ...place, remove: () => (data.remove(), work.remove()) };
}

const play = (places: readonly Place[], when = "") => playIn("../budget/child.ts", places, when);

const sum = (amounts: readonly number[]) => amounts.reduce((a, b) => a + b, 0);

function spent(events: readonly AnyEvent[]): number {
  // What sub-agents used is said once more in the session above.
  return sum(
    events.flatMap((event) =>
      is(event, "agent.usage") && event.data.subagent === undefined ? [event.data.cost_usd ?? 0] : [],
    ),
  );
}

/** Goes on where the child was killed. Returns what the provider charged. */
async function goOn(at: Site): Promise<number> {
  const runtime = await openBudget(at.store, at.workspace);
  try {
    await runtime.start();
    await playOut(runtime, at.session);
    const { rows } = await runtime.services.sessions.list(ADMIN, { kind: "subagent" });
    const all = [at.session, ...rows.map(({ session_id }) => session_id as SessionId)];
    const logs = await Promise.all(all.map((session) => everything(runtime.log, session)));
    const total = sum(charged(at.workspace));
    const reserve = Math.max(
      0,
      ...logs
        .flat()
        .flatMap((event) => (is(event, "runtime.budget.reserved") ? [event.data.cost_usd ?? 0] : [])),
    );
    expect(total).toBeLessThanOrEqual(LIMIT_USD);
    // Nothing that was charged is missing in the log, lost calls included.
    expect(sum(logs.map(spent))).toBeGreaterThanOrEqual(total);
    expect(sum(logs.map(spent))).toBeLessThanOrEqual(LIMIT_USD + reserve);
    expect((await runtime.log.verify()).broken).toEqual([]);
    return total;
  } finally {
    await runtime.stop();
  }
}

const AT_ONCE = 8;

describe("a budget that sub-agents share, side by side", () => {
  it("is used, and never passed", async () => {
    const whole = await site();
    await play([whole]);
    const calls = charged(whole.workspace);
    expect(calls.length).toBeGreaterThan(AGENTS * 3);
    expect(await goOn(whole)).toBeGreaterThan(LIMIT_USD / 2);
    whole.remove();
  }, 60_000);

  it.each(["before", "after"])(
    "is never passed, whichever append the process was killed with -9 %s",
    async (when) => {
      const whole = await site();
      const [appends] = (await play([whole])) as [number];
      whole.remove();
      // Every place at the start, where reserves are new, and then some of the many that are alike.
      const all = Array.from({ length: appends }, (_, i) => i + 1).filter((n) => n <= 12 || n % 9 === 0);
      let kills = 0;
      for (let i = 0; i < all.length; i += AT_ONCE) {
        const places = await Promise.all(all.slice(i, i + AT_ONCE).map((nth) => site(nth)));
        kills += (await play(places, when)).filter((end) => end === "reached").length;
        for (const place of places) {
          await goOn(place);
          place.remove();
        }
      }
      expect(kills).toBeGreaterThan(all.length / 2);
    },
    300_000,
  );
});

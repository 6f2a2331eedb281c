import { describe, expect, it, onTestFinished } from "vitest";
import { accountsOf, dayKey, type DailyBudgets, type DayRow } from "../../src/domain/budget/day.ts";
import { CONFIG_FILE, loadConfig } from "../../src/host/config-file.ts";
import type { Step } from "../../src/models/script.ts";
import { openSqliteStore } from "../../src/stores/sqlite/open.ts";
import { ADA, model, staged } from "../kernel/support.ts";
import { temporaryFolder } from "../stores.ts";
import { everything, handTime, settle, world } from "../support/world.ts";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const DAY = "2026-01-01";
const HOUR = 3_600_000;
const used = (tokens: number): Step => ({ usage: { input_tokens: tokens, output_tokens: 0 } });
const MANY: readonly Step[] = [used(950), { say: "Done." }];

function place(budgets: DailyBudgets, steps: readonly Step[] = MANY) {
  const folder = temporaryFolder();
  const time = handTime();
  const store = openSqliteStore({ dir: folder.path, clock: time.clock });
  const w = world({ store, time, budgets, models: [{ ...model(steps), price: { input: 1, output: 1 } }] });
  onTestFinished(async () => {
    await w.services.turns.stop("The test is over.");
    await w.log.close();
    folder.remove();
  });
  async function dayOf(kind: "project" | "actor", day = DAY): Promise<DayRow | undefined> {
    const who =
      kind === "project" ? { project: "shop", created_by: null } : { project: null, created_by: "ada" };
    const [account] = accountsOf(budgets, who);
    return w.log.row<DayRow>("budget-day", dayKey(account?.stream ?? "", day));
  }
  /** One turn of a new chat; how it ended. */
  async function turn(project: string | null = "shop"): Promise<string> {
    const { session_id } = await w.services.sessions.create(ADA, { project });
    await w.services.turns.start(ADA, session_id, { input: "Go." });
    for (let looks = 0; looks < 500; looks++) {
      await settle();
      const end = (await everything(w.log, session_id)).find(({ type }) => type === "runtime.turn.ended");
      if (end !== undefined) return String((end.data as { status: string }).status);
    }
    throw new Error("It has not ended.");
  }
  return { w, time, turn, dayOf };
}

describe("a budget for a day", () => {
  it("is counted over all sessions of a project, and held", async () => {
    const { turn, dayOf } = place({ projects: { shop: { tokens: 2_000 } } });
    expect(await turn()).toBe("completed");
    expect(await turn()).toBe("completed");
    expect(await dayOf("project")).toMatchObject({ day: DAY, tokens: 1_900, held: {} });
    expect(await turn()).toBe("failed");
    expect(await turn("garden")).toBe("completed");
    expect(await dayOf("project")).toMatchObject({ tokens: 1_900, held: {} });
  });

  it("is counted over all sessions of an actor, in dollars", async () => {
    const { turn, dayOf, time } = place({ actors: { ada: { cost_usd: 0.002 } } });
    expect(await turn(null)).toBe("completed");
    expect(await turn("shop")).toBe("completed");
    expect(await turn(null)).toBe("failed");
    expect(await dayOf("actor")).toMatchObject({ cost_usd: 0.0019 });
    await time.advance(24 * HOUR);
    expect(await turn(null)).toBe("completed");
    expect(await dayOf("actor", "2026-01-02")).toMatchObject({ cost_usd: 0.00095 });
  });

  it("is not passed by calls that are made at once", async () => {
    const { turn, dayOf } = place({ projects: { shop: { tokens: 5_000 } } });
    const ends = await Promise.all(Array.from({ length: 12 }, () => turn()));
    expect(ends).toContain("failed");
    const row = await dayOf("project");
    expect(row?.held).toEqual({});
    expect(row?.tokens).toBe(950 * ends.filter((end) => end === "completed").length);
    expect(row?.tokens).toBeLessThanOrEqual(5_000 + 950);
  });

  it("lets background work wait for tomorrow, and go on by itself", async () => {
    const { w, turn, time } = place({ projects: { shop: { tokens: 1_000 } } });
    expect(await turn()).toBe("completed");
    const work = staged(w, await w.services.kernel.start(ADA, { task: "Go.", project: "shop" }));
    const waiting = await work.until("queued");
    while ((await work.data("runtime.turn.ended")).length === 0) await settle();
    expect(await work.data("runtime.turn.ended")).toMatchObject([
      { status: "parked", waits: [{ kind: "timer", until: "2026-01-02T00:00:00.000Z" }] },
    ]);
    expect(waiting.state?.last_error).toBeNull();
    await time.advance(25 * HOUR);
    await w.services.turns.recover();
    await work.until("completed");
    expect(w.reported).toEqual([]);
  });

  it("is read from the configuration, and a limit of nothing named is refused", () => {
    const folder = temporaryFolder();
    const file = join(folder.path, CONFIG_FILE);
    writeFileSync(
      file,
      "budgets:\n  projects:\n    shop: { tokens: 5, cost_usd: 1.5 }\n  actors:\n    ci: { tokens: 9 }\n",
    );
    expect(loadConfig({ cwd: folder.path }).budgets).toEqual({
      projects: { shop: { tokens: 5, cost_usd: 1.5 } },
      actors: { ci: { tokens: 9 } },
    });
    writeFileSync(file, "budgets:\n  projects:\n    shop: {}\n");
    expect(() => loadConfig({ cwd: folder.path })).toThrow("Give `tokens` or `cost_usd`.");
    folder.remove();
  });
});

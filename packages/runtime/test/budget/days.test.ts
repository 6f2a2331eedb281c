import type { SessionId } from "@fairlead/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Actor, SYSTEM_ACTOR } from "../../src/domain/actor.ts";
import { accountsOf, dayKey, type DailyBudgets, type DayRow } from "../../src/domain/budget/day.ts";
import { CONFIG_FILE, loadConfig } from "../../src/host/config-file.ts";
import type { EventLog } from "../../src/ports/event-log.ts";
import type { Step } from "../../src/models/script.ts";
import type { Price } from "../../src/ports/model.ts";
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

function place(
  budgets: DailyBudgets,
  steps: readonly Step[] = MANY,
  wrap: (log: EventLog) => EventLog = (log) => log,
  price: Price | null = { input: 1, output: 1 },
) {
  const folder = temporaryFolder();
  const time = handTime();
  const store = openSqliteStore({ dir: folder.path, clock: time.clock });
  const w = world({
    store,
    time,
    budgets,
    wrap,
    models: [{ ...model(steps), ...(price === null ? {} : { price }) }],
  });
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
  /** Turns of new chats, all at once; how they ended. */
  async function turns(count: number, project: string | null = "shop"): Promise<readonly string[]> {
    const rows = await Promise.all(
      Array.from({ length: count }, () => w.services.sessions.create(ADA, { project })),
    );
    await Promise.all(
      rows.map(({ session_id }) => w.services.turns.start(ADA, session_id, { input: "Go." })),
    );
    const ends = new Map<string, string>();
    for (let looks = 0; looks < 200 && ends.size < count; looks++) {
      await time.advance(250);
      for (const { session_id } of rows.filter((row) => !ends.has(row.session_id))) {
        const end = (await everything(w.log, session_id)).find(({ type }) => type === "runtime.turn.ended");
        if (end !== undefined) ends.set(session_id, String((end.data as { status: string }).status));
      }
    }
    return [...ends.values()];
  }
  const turn = async (project?: string | null) => (await turns(1, project))[0];
  return { w, time, turn, turns, dayOf };
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

  it("is a token's own: another of the same actor has what it has, and a sign-in with it pays from it", async () => {
    const limit = { tokens: 1_000 };
    const tokens: Record<string, typeof limit> = {};
    const { w, time } = place({ tokens });
    const { token: one } = await w.services.tokens.create(SYSTEM_ACTOR, { actor: "ada", role: "operator" });
    const { token: two } = await w.services.tokens.create(SYSTEM_ACTOR, { actor: "ada", role: "operator" });
    tokens[one.token_id] = limit;
    const browser = await w.services.tokens.create(SYSTEM_ACTOR, {
      actor: "ada",
      role: "operator",
      purpose: "browser",
      parent: one.token_id,
    });
    const by = (token_id: string | null): Actor => ({ ...ADA, token_id: token_id as never });
    async function turn(session_id: SessionId, actor: Actor): Promise<string | undefined> {
      const { turn_id } = await w.services.turns.start(actor, session_id, { input: "Go." });
      for (let looks = 0; looks < 100; looks++) {
        await time.advance(100);
        const end = (await everything(w.log, session_id)).find(
          (event) => event.type === "runtime.turn.ended" && event.turn_id === turn_id,
        );
        if (end !== undefined) return String((end.data as { status: string }).status);
      }
      return undefined;
    }
    const fresh = async (token_id: string | null) =>
      turn((await w.services.sessions.create(by(token_id), {})).session_id, by(token_id));
    expect(await fresh(one.token_id)).toBe("completed");
    expect(await fresh(one.token_id)).toBe("failed");
    expect(await fresh(browser.token.token_id)).toBe("failed");
    expect(await fresh(two.token_id)).toBe("completed");
    expect(await fresh(null)).toBe("completed");
    // A branch is its maker's, not its parent's.
    const { session_id } = await w.services.sessions.create(by(one.token_id), {});
    expect(await turn(session_id, by(one.token_id))).toBe("failed");
    const branch = await w.services.branches.branch(by(two.token_id), session_id, {});
    expect(await turn(branch.session_id, by(two.token_id))).toBe("completed");
  });

  it("is not passed by calls that are made at once", async () => {
    const { turns, dayOf } = place({ projects: { shop: { tokens: 5_000 } } });
    const ends = await turns(12);
    expect(ends).toHaveLength(12);
    expect(ends).toContain("failed");
    const row = await dayOf("project");
    expect(row?.held).toEqual({});
    expect(row?.tokens).toBe(950 * ends.filter((end) => end === "completed").length);
    expect(row?.tokens).toBeLessThanOrEqual(5_000 + 950);
  });

  it("refuses nobody while enough is left, however many come at once", async () => {
    const { w, turns, dayOf } = place({ projects: { shop: { tokens: 10_000_000 } } });
    const ends = await turns(120);
    expect(ends).toEqual(Array.from({ length: 120 }, () => "completed"));
    expect(await dayOf("project")).toMatchObject({ tokens: 950 * 120, held: {} });
    expect(w.reported).toEqual([]);
  });

  it("is not said to be used where others are only quicker", async () => {
    let holds = 0;
    const { w, turn, dayOf } = place({ projects: { shop: { tokens: 10_000 } } }, MANY, (log) => ({
      ...log,
      append: async (append) => {
        if (!append.writes.some(({ events }) => events[0]?.type === "runtime.budget.held"))
          return log.append(append);
        holds += 1;
        return { ok: false, refusal: { code: "seq_conflict", message: "Somebody was quicker." } };
      },
    }));
    expect(await turn()).toBe("failed");
    expect(holds).toBeGreaterThan(50);
    const [{ session_id } = { session_id: "" }] = (await w.services.sessions.list(ADA, {})).rows;
    const failed = (await everything(w.log, session_id as SessionId)).find(
      ({ type }) => type === "runtime.request.failed",
    );
    expect(failed?.data).toMatchObject({ code: "model_limited", error: expect.stringContaining("shop") });
    expect(await dayOf("project")).toBeUndefined();
  });

  it("is not said to be used by what others have only put aside", async () => {
    const slow: readonly Step[] = [{ wait_ms: 15 }, ...MANY];
    const { turns, dayOf } = place({ projects: { shop: { tokens: 25_000 } } }, slow);
    expect(await turns(4)).toEqual(["completed", "completed", "completed", "completed"]);
    expect(await dayOf("project")).toMatchObject({ tokens: 950 * 4, held: {} });
  });

  it("that no call fits in fails at once, also where work would wait for tomorrow", async () => {
    const { w, turn, dayOf } = place({ projects: { shop: { tokens: 50 } } });
    expect(await turn()).toBe("failed");
    const work = staged(w, await w.services.kernel.start(ADA, { task: "Go.", project: "shop" }));
    expect((await work.until("failed")).state?.last_error).toContain("No day is enough");
    expect(await dayOf("project")).toBeUndefined();
  });

  /** `lost`: whose answers never come, as if their process had died right after. */
  const forgetful =
    (lost: (hold: number) => boolean, taken: (hold: number) => boolean) =>
    (log: EventLog): EventLog => {
      let holds = 0;
      return {
        ...log,
        async append(append) {
          const isHold = append.writes.some(({ events }) =>
            events.some(({ type }) => type === "runtime.budget.held"),
          );
          if (!isHold) return log.append(append);
          holds += 1;
          const appended = taken(holds) ? await log.append(append) : undefined;
          if (appended !== undefined && !lost(holds)) return appended;
          return { ok: false, refusal: { code: "seq_conflict", message: "Nobody knows." } };
        },
      };
    };

  it("is not in the way of the very call that it was put aside for", async () => {
    const once = forgetful(
      (hold) => hold === 1,
      () => true,
    );
    const { turn, dayOf } = place({ projects: { shop: { tokens: 2_000 } } }, MANY, once);
    expect(await turn()).toBe("completed");
    expect(await dayOf("project")).toMatchObject({ tokens: 950, held: {} });
  });

  it("gets back what was put aside for a call that was never made", async () => {
    const never = forgetful(
      () => true,
      (hold) => hold === 1,
    );
    const { turn, dayOf } = place({ projects: { shop: { tokens: 2_000 } } }, MANY, never);
    expect(await turn()).toBe("failed");
    expect(await dayOf("project")).toMatchObject({ tokens: 0, held: {} });
  });

  it("in dollars refuses a model whose price is not known", async () => {
    const { w, turn, dayOf } = place({ projects: { shop: { cost_usd: 5 } } }, MANY, undefined, null);
    expect(await turn()).toBe("failed");
    expect(await turn("garden")).toBe("completed");
    expect(await dayOf("project")).toBeUndefined();
    expect(w.reported).toEqual([]);
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
      "budgets:\n  projects:\n    shop: { tokens: 5, cost_usd: 1.5 }\n  actors:\n    ci: { tokens: 9 }\n  tokens:\n    tok_1: { cost_usd: 2 }\n",
    );
    expect(loadConfig({ cwd: folder.path }).budgets).toEqual({
      projects: { shop: { tokens: 5, cost_usd: 1.5 } },
      actors: { ci: { tokens: 9 } },
      tokens: { tok_1: { cost_usd: 2 } },
    });
    writeFileSync(file, "budgets:\n  projects:\n    shop: {}\n");
    expect(() => loadConfig({ cwd: folder.path })).toThrow("Give `tokens` or `cost_usd`.");
    writeFileSync(file, "budgets:\n  tokens:\n    ci: { tokens: 5 }\n");
    expect(() => loadConfig({ cwd: folder.path })).toThrow("budgets.tokens");
    folder.remove();
  });
});

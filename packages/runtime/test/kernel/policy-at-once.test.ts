import { describe, expect, it, onTestFinished } from "vitest";
import type { StoreKind } from "../../src/ports/event-log.contract/support.ts";
import type { Append, EventLog } from "../../src/ports/event-log.ts";
import { memory, postgres, sqlite } from "../stores.ts";
import { ADMIN, codeOf, handTime } from "../support/world.ts";
import { ADA, CHANGE, DONE, model, type Stage, stage } from "./support.ts";

/** Does something right before an append that is of this sort, once. */
function interposed() {
  let before: { readonly when: (append: Append) => boolean; readonly work: () => Promise<unknown> } | null =
    null;
  const wrap = (log: EventLog): EventLog => ({
    ...log,
    async append(append) {
      const now = before;
      if (now?.when(append) === true) {
        before = null;
        await now.work();
      }
      return log.append(append);
    },
  });
  return {
    wrap,
    next: (when: (append: Append) => boolean, work: () => Promise<unknown>) => (before = { when, work }),
  };
}

const says =
  (status: string) =>
  ({ writes }: Append): boolean =>
    writes.some(
      ({ guard, events }) =>
        guard?.epoch !== undefined &&
        events.some(
          ({ type, data }) =>
            type === "runtime.session.state" && (data as { status?: string }).status === status,
        ),
    );

const BUDGETS = {
  min_score: 1,
  max_runtime_minutes: 50,
  max_total_tokens: 900_000,
  max_context_percent: 99,
  max_failed_tool_calls: 50,
  max_loop_warnings: 50,
  max_repeated_plan_events: 50,
  max_tool_latency_ms: 99_999,
  max_events_without_evidence: 50,
} as const;

const patch = ({ w, session }: Stage, change: object) => w.services.kernel.setPolicy(ADA, session, change);

describe("a policy that is changed in the moment in which the session moves", () => {
  async function atChange(wrap: (log: EventLog) => EventLog): Promise<Stage> {
    const play = await stage({ models: [model([CHANGE], [DONE])], wrap });
    await play.until("awaiting_approval");
    return play;
  }

  it("does not make it queued for who has taken it up", async () => {
    const { wrap, next } = interposed();
    const play = await atChange(wrap);
    await play.w.services.kernel.pause(ADA, play.session);
    await play.decide("denied");
    next(says("running"), () => patch(play, { health: { max_failed_tool_calls: 5 } }));
    await play.w.services.kernel.resume(ADA, play.session);
    const row = await play.until("completed", "failed");
    expect(row.status).toBe("completed");
    expect(row.state?.metadata).toMatchObject({ policy: { health: { max_failed_tool_calls: 5 } } });
    const events = await play.events();
    const ran = events.findLastIndex(
      ({ type, data }) =>
        type === "runtime.session.state" && (data as { status: string }).status === "running",
    );
    const later = events.slice(ran).filter(({ type }) => type === "runtime.health.snapshot");
    expect(later.map(({ data }) => (data as { status: string }).status)).not.toContain("queued");
    expect(later.length).toBeGreaterThan(0);
  });

  it("does not make it pause twice", async () => {
    const { wrap, next } = interposed();
    const play = await atChange(wrap);
    next(says("running"), async () => {
      await play.w.log.append({
        writes: [
          {
            stream: play.session,
            events: [
              {
                type: "runtime.session.pausing",
                data: { session_id: play.session, actor: "ada", reason: "lunch" },
              },
            ],
          },
        ],
      });
      next(says("paused"), () => patch(play, { max_retries: 8 }));
    });
    await play.decide("denied");
    const row = await play.until("paused");
    expect(row.state?.max_retries).toBe(8);
    expect((await play.checkpoints()).filter((type) => type === "paused")).toHaveLength(1);
    await play.w.services.kernel.resume(ADA, play.session);
    expect((await play.until("completed", "failed")).status).toBe("completed");
  });
});

describe.each([memory, sqlite, postgres])("policies that are changed at once on $name", (kind: StoreKind) => {
  async function open(wrap: (log: EventLog) => EventLog = (log) => log): Promise<Stage> {
    const time = handTime();
    const site = await kind.newSite();
    const store = await site.open(time.clock);
    onTestFinished(async () => {
      await store.close();
      await site.destroy();
    });
    const play = await stage({ models: [model([CHANGE], [DONE])], time, store, wrap });
    await play.until("awaiting_approval");
    return play;
  }

  it("all hold", async () => {
    const play = await open();
    const all = Object.entries(BUDGETS).map(([name, value]) => patch(play, { health: { [name]: value } }));
    const until = "2030-01-01T00:00:00Z";
    await Promise.all([...all, patch(play, { max_retries: 7 }), patch(play, { expires_at: until })]);
    const { state, health } = await play.row();
    expect(state?.metadata?.["policy"]).toMatchObject({ health: BUDGETS });
    expect(health.policy).toMatchObject({ health: BUDGETS });
    expect(state).toMatchObject({ max_retries: 7, expires_at: until });
    // Whoever takes it up reads the same.
    await play.decide("denied");
    const ended = await play.until("completed");
    expect(ended.health.policy).toMatchObject({ health: BUDGETS });
  });
});

describe("a policy that says nothing", () => {
  it("is refused, and nothing is written", async () => {
    const play = await stage({ limits: { background: 0 } });
    const before = await play.events();
    expect(await codeOf(patch(play, {}))).toBe("bad_request");
    expect(await codeOf(patch(play, { health: {} }))).toBe("bad_request");
    expect(await play.events()).toEqual(before);
  });
});

describe("checkpoints of a session whose log was trimmed", () => {
  it("are counted on", async () => {
    const play = await stage({ limits: { background: 0 } });
    const { kernel, sessions } = play.w.services;
    await kernel.pause(ADA, play.session);
    const last = (await play.events()).at(-1)?.seq ?? 0;
    await sessions.trim(ADMIN, play.session, last);
    await kernel.resume(ADA, play.session);
    expect(await play.data("runtime.session.checkpoint")).toMatchObject([{ sequence: 3 }]);
  });
});

describe("a policy that somebody else is always before", () => {
  it("is refused, and nothing of it is written", async () => {
    let busy = false;
    const play = await stage({
      limits: { background: 0 },
      wrap: (log) => ({
        ...log,
        append: async (append) =>
          busy && append.writes.some(({ guard }) => guard?.expectedSeq !== undefined)
            ? { ok: false, refusal: { code: "seq_conflict", message: "The stream has moved on." } }
            : log.append(append),
      }),
    });
    const before = await play.events();
    busy = true;
    expect(await codeOf(patch(play, { max_retries: 9 }))).toBe("seq_conflict");
    expect(await codeOf(play.w.services.sessions.configure(ADA, play.session, { title: "New" }))).toBe(
      "seq_conflict",
    );
    expect(await play.events()).toEqual(before);
  });
});

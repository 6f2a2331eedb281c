import { describe, expect, it } from "vitest";
import { nativeEngine } from "../../src/engines/native.ts";
import { gated } from "../golden/scene.ts";
import { codeOf, settle } from "../support/world.ts";
import { ADA, BUSY, CHANGE, DONE, model, REFUSED, shaky, type Stage, stage } from "./support.ts";

/** Who comes second waits a moment for the first: lets these moments pass until all are answered. */
async function together<T>({ w }: Stage, work: readonly Promise<T>[]): Promise<PromiseSettledResult<T>[]> {
  let answered = false;
  const all = Promise.allSettled(work).finally(() => void (answered = true));
  while (!answered) await w.time.advance(20);
  return all;
}

const three = <T>(work: () => Promise<T>): Promise<T>[] => [work(), work(), work()];

const PAUSED = async () => {
  const play = await stage({ limits: { background: 0 } });
  await play.w.services.kernel.pause(ADA, play.session);
  return play;
};
const FAILED = async () => {
  const play = await stage({ models: [shaky(1, REFUSED, DONE)] });
  await play.until("failed");
  return play;
};
const RECOVERING = async () => {
  const play = await stage({ models: [shaky(1, BUSY, DONE)] });
  await play.until("recovering");
  return play;
};

describe("the same command, twice at the same moment", () => {
  it.each([
    ["paused", PAUSED],
    ["failed", FAILED],
    ["recovering", RECOVERING],
  ])("resumes one that is %s once, and all hear the same", async (_, at) => {
    const play = await at();
    const { kernel } = play.w.services;
    const again = { idempotencyKey: "r1", reason: "mended" };
    const all = await together(
      play,
      three(() => kernel.resume(ADA, play.session, again)),
    );
    const same = { status: "fulfilled", value: { session_id: play.session } };
    expect(all).toMatchObject([same, same, same]);
    expect(await play.data("runtime.session.resuming")).toHaveLength(1);
  });

  it("is refused where the key stands for another, and where there is none", async () => {
    const play = await PAUSED();
    const { kernel } = play.w.services;
    const [, other] = await together(play, [
      kernel.resume(ADA, play.session, { idempotencyKey: "r1" }),
      kernel.resume(ADA, play.session, { idempotencyKey: "r1", input: "Something else." }),
    ]);
    expect(other).toMatchObject({ status: "rejected", reason: { code: "idempotency_mismatch" } });
    expect(await codeOf(kernel.resume(ADA, play.session))).toBe("session_state");
    expect(await play.data("runtime.session.resuming")).toHaveLength(1);
    expect(await play.data("runtime.input.queued")).toHaveLength(1);
  });

  it("starts one session", async () => {
    const play = await PAUSED();
    const once = { task: "Once.", alias: "once", idempotencyKey: "s1" };
    const rows = await Promise.all([1, 2, 3].map(() => play.w.services.kernel.start(ADA, once)));
    expect(new Set(rows.map(({ session_id }) => session_id)).size).toBe(1);
    expect(await codeOf(play.w.services.kernel.start(ADA, { ...once, task: "Twice." }))).toBe(
      "idempotency_mismatch",
    );
  });

  it("pauses and cancels without a key: what is so already stays so", async () => {
    const play = await stage({ limits: { background: 0 } });
    const { kernel } = play.w.services;
    const ok = (status: string) => ({ status: "fulfilled", value: { status } });
    const paused = await together(
      play,
      three(() => kernel.pause(ADA, play.session)),
    );
    expect(paused.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
    expect((await play.row()).status).toBe("paused");
    expect((await play.checkpoints()).filter((type) => type === "paused")).toHaveLength(1);
    const ended = await together(
      play,
      three(() => kernel.cancel(ADA, play.session)),
    );
    expect(ended).toMatchObject([ok("cancelled"), ok("cancelled"), ok("cancelled")]);
    expect((await play.checkpoints()).filter((type) => type === "cancelled")).toHaveLength(1);
  });
});

describe("a pause that is repeated under its key", () => {
  it("is the first one, also after somebody has let it go on", async () => {
    const play = await stage({ limits: { background: 0 } });
    const { kernel } = play.w.services;
    const pause = (reason = "lunch") => kernel.pause(ADA, play.session, reason, "p1");
    await together(
      play,
      three(() => pause()),
    );
    expect(await play.data("runtime.session.pausing")).toHaveLength(1);
    await kernel.resume(ADA, play.session);
    expect((await pause()).status).toBe("queued");
    expect(await codeOf(pause("supper"))).toBe("idempotency_mismatch");
    expect(await play.data("runtime.session.pausing")).toHaveLength(1);
    await kernel.cancel(ADA, play.session);
    expect((await pause()).status).toBe("cancelled");
  });

  it("is kept where it is paused already, by whoever that was", async () => {
    const play = await PAUSED();
    const { kernel } = play.w.services;
    const pause = (reason = "lunch") => kernel.pause(ADA, play.session, reason, "p2");
    expect((await pause()).status).toBe("paused");
    expect((await pause()).status).toBe("paused");
    expect(await codeOf(pause("supper"))).toBe("idempotency_mismatch");
    await kernel.resume(ADA, play.session);
    expect((await pause()).status).toBe("queued");
    expect(await play.data("runtime.session.pausing")).toHaveLength(2);
    expect((await play.checkpoints()).filter((type) => type === "paused")).toHaveLength(1);
  });

  it("and a cancel that comes three times, are heard by work that runs", async () => {
    const wait = gated();
    const models = [model([{ call: "wait", with: { what: "for news" } }], [DONE])];
    const play = await stage({ models, tools: [wait] });
    while ((await play.data("agent.tool.batch")).length === 0) await settle();
    const { kernel } = play.w.services;
    const paused = await together(
      play,
      three(() => kernel.pause(ADA, play.session, "lunch", "p1")),
    );
    expect(paused.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
    expect(await play.data("runtime.session.pausing")).toHaveLength(1);
    const ended = await together(
      play,
      three(() => kernel.cancel(ADA, play.session)),
    );
    const over = { status: "fulfilled", value: { status: "cancelled" } };
    expect(ended).toMatchObject([over, over, over]);
  });
});

describe("a wish to pause that nobody has heard", () => {
  it.each(["queued", "awaiting_approval"] as const)("is taken back where the work is %s", async (status) => {
    const limits = status === "queued" ? { limits: { background: 0 } } : {};
    const play = await stage({ models: [model([CHANGE], [DONE])], ...limits });
    await play.until(status);
    // What is left where two come at once, and the one who would write it down is gone.
    const data = { session_id: play.session, actor: "ada", reason: "lunch" };
    const events = [{ type: "runtime.session.pausing" as const, data }];
    await play.w.log.append({ writes: [{ stream: play.session, events }] });
    const row = await play.w.services.kernel.resume(ADA, play.session);
    expect(row.status).toBe(status);
    expect(row.pausing).toBeUndefined();
    expect(await codeOf(play.w.services.kernel.resume(ADA, play.session))).toBe("session_state");
  });
});

describe("a word that nobody can take up at this moment", () => {
  const broken = (fails: () => boolean) =>
    stage({
      engines: (turns) => {
        const engine = nativeEngine(turns);
        const wake: typeof engine.wake = async (...args) => {
          if (fails()) throw new Error("No room.");
          return engine.wake(...args);
        };
        return [{ ...engine, wake }];
      },
      models: [shaky(1, REFUSED, DONE)],
    });

  it("is a resume all the same: it is on record, and goes on later", async () => {
    let fails = false;
    const play = await broken(() => fails);
    await play.until("failed");
    fails = true;
    const row = await play.w.services.kernel.resume(ADA, play.session);
    expect(row.status).toBe("queued");
    expect(play.w.reported).toMatchObject([{ message: "No room." }]);
    fails = false;
    await play.w.services.turns.recover();
    await play.until("completed");
    expect(await play.data("runtime.session.resuming")).toHaveLength(1);
  });
});

describe("somebody who decides in the moment in which the work that asked ends", () => {
  it("is the one who decided, and the work has ended all the same", async () => {
    let atEnd: (() => Promise<unknown>) | null = null;
    const play = await stage({
      models: [model([CHANGE], [DONE])],
      wrap: (log) => ({
        ...log,
        async append(append) {
          const ends = append.writes.some(({ events }) =>
            events.some(({ type }) => type === "runtime.request.failed"),
          );
          const work = ends ? atEnd : null;
          if (work !== null) {
            atEnd = null;
            await work();
          }
          return log.append(append);
        },
      }),
    });
    await play.until("awaiting_approval");
    atEnd = () => play.decide("approved");
    await play.w.services.kernel.setPolicy(ADA, play.session, { expires_at: "2020-01-01T00:00:00Z" });
    await play.w.services.kernel.expireDue();
    const row = await play.until("failed");
    expect(row.state).toMatchObject({ approval_request_id: null, resume_context: null });
    expect(await play.data("runtime.question.decided")).toMatchObject([{ decision: "approved" }]);
    expect(await play.data("runtime.request.failed")).toHaveLength(1);
    expect(await play.data("agent.tool.batch")).toEqual([]);
  });
});

import type { QuestionRow, SessionId } from "@fairlead/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Runtime, type RuntimeOptions, createRuntime } from "../../src/create-runtime.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { freshDatabase } from "../support/postgres.ts";
import { ADMIN, SEAL_KEY, actor, codeOf, errorOf, everything, script } from "../support/world.ts";

const LEASE_MS = 600;
const models = [scriptedModel({ script: script({ say: "I begin" }, { hang: true }) })];

/** Equal processes on one PostgreSQL; here they share a process, but nothing else. */
let runtimes: readonly Runtime[] = [];
const nth = (i: number) => runtimes[i % runtimes.length] as Runtime;

async function open(url: string, i: number, extra: Partial<RuntimeOptions> = {}): Promise<Runtime> {
  return createRuntime({
    store: { postgres: url },
    sealKey: SEAL_KEY,
    env: {},
    models,
    limits: { leaseMs: LEASE_MS },
    process: `p${i}`,
    ...extra,
  });
}

beforeAll(async () => {
  const url = await freshDatabase();
  // The last one is as good as dead while it drives: it does not renew its leases.
  const half: Partial<RuntimeOptions> = {
    observe: (log) => ({ ...log, renewLease: () => new Promise<never>(() => {}) }),
  };
  runtimes = await Promise.all([open(url, 0), open(url, 1), open(url, 2), open(url, 3, half)]);
});
afterAll(() => Promise.all(runtimes.map((runtime) => runtime.stop())));

async function newSession(): Promise<SessionId> {
  return (await nth(0).services.sessions.create(ADMIN, {})).session_id;
}

async function resumed(session: SessionId): Promise<void> {
  const signal = AbortSignal.timeout(10_000);
  for await (const batch of nth(0).log.subscribe(session, { after: 0, signal }))
    if (batch.some((event) => event.type === "runtime.turn.resumed")) return;
  throw new Error("nobody went on with the turn");
}

describe("several processes on one database", () => {
  it("decide a question exactly once", async () => {
    const session = await newSession();
    const question = await nth(1).services.questions.ask(session, {
      kind: "approval",
      tool_name: "rm",
      reason: "It deletes.",
    });
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        nth(i).services.questions.decide(actor("operator", `op${i}`), question.request_id, {
          decision: i % 2 === 0 ? "approved" : "denied",
        }),
      ),
    );
    const won = results.filter((result) => result.status === "fulfilled");
    expect(won).toHaveLength(1);
    const { state: decision, actor: by } = (won[0] as PromiseFulfilledResult<QuestionRow>).value;
    const lost = results.filter((result) => result.status === "rejected");
    for (const { reason } of lost)
      expect(reason).toMatchObject({ code: "question_decided", details: { decision, actor: by } });
    expect(
      (await everything(nth(2).log, session)).filter((event) => event.type === "runtime.question.decided"),
    ).toHaveLength(1);
  });

  it("start one turn for one command, and only one at a time", async () => {
    const session = await newSession();
    const start = (i: number, idempotencyKey?: string) =>
      nth(i).services.turns.start(ADMIN, session, { input: "Hi", idempotencyKey });
    const turns = await Promise.all(Array.from({ length: 6 }, (_, i) => start(i % 3, "once")));
    expect(new Set(turns.map((turn) => turn.turn_id)).size).toBe(1);
    const [where] =
      (await nth(0).services.sessions.get(ADMIN, session)).state?.process_id?.toString().match(/\d/) ?? [];
    const other = Number(where) === 0 ? 1 : 0;
    expect(await errorOf(start(other))).toMatchObject({
      code: "turn_active",
      details: { process_id: `p${where}` },
    });
    const [{ turn_id } = { turn_id: "" }] = turns;
    expect(await nth(other).services.turns.cancel(ADMIN, session, "enough")).toEqual({ turn_id });
    const cancelled = (await everything(nth(0).log, session)).find(
      (event) => event.type === "runtime.request.cancelled",
    );
    expect(cancelled?.data).toEqual({ turn_id, reason: "enough" });
    expect(await codeOf(nth(other).services.turns.cancel(ADMIN, session))).toBe("turn_not_found");
    const types = (await everything(nth(0).log, session)).map((event) => event.type);
    expect(types.filter((type) => type === "runtime.request.started")).toHaveLength(1);
    expect(types.filter((type) => type === "runtime.turn.ended")).toHaveLength(1);
  });

  it("take over from one that has died, and it appends nothing more", async () => {
    const session = await newSession();
    const { turn_id } = await nth(3).services.turns.start(ADMIN, session, { input: "Hi" });
    expect(await nth(0).services.turns.recover()).toBe(0);
    await new Promise<void>((resolve) => void setTimeout(resolve, LEASE_MS + 100));
    const recovered = await Promise.all([0, 1, 2].map((i) => nth(i).services.turns.recover()));
    expect(recovered.toSorted()).toEqual([0, 0, 1]);
    const driver = recovered.indexOf(1);
    // Before that it has nothing in hand that could be stopped.
    await resumed(session);
    await nth(3).services.turns.stop("too late");
    expect(await nth(driver).services.turns.cancel(ADMIN, session, "enough")).toEqual({ turn_id });
    const events = await everything(nth(0).log, session);
    const of = (type: string) => events.filter((event) => event.type === type).map((event) => event.data);
    expect(of("runtime.turn.resumed")).toMatchObject([{ turn_id, attempt: 2 }]);
    expect(of("runtime.turn.ended")).toEqual([
      { turn_id, status: "cancelled", reason: "enough", actor: "root" },
    ]);
  });
});

import type { AnyEvent, EventType, SessionId, StoredEvent } from "@fairlead/contract";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { is } from "../../src/domain/event.ts";
import { createRedactor } from "../../src/log/redact.ts";
import type { Step } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import type { Tool } from "../../src/ports/tool.ts";
import { createQuestions } from "../../src/services/questions.ts";
import { openPostgresStore } from "../../src/stores/postgres/open.ts";
import { ADA, gated, writer } from "../golden/scene.ts";
import { freshDatabase } from "../support/postgres.ts";
import { type World, type WorldOptions, everything, handTime, world } from "../support/world.ts";

let url: string;
let pairs = 0;
beforeAll(async () => {
  url = await freshDatabase();
});

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < 1_000; looks++) {
    if (await isSo()) return;
    await new Promise<void>((resolve) => void setTimeout(resolve, 5));
  }
  throw new Error("It did not come to pass.");
}

const WAIT: Step = { call: "wait", with: { what: "for news" } };
const CHANGE: Step = { call: "change", with: { what: "the flag" } };
const models = (...calls: readonly Step[]) => [
  scriptedModel({
    script: {
      rules: [{ when: "begin", rounds: [[...calls], [{ say: "Done." }]] }, { do: [{ say: "Heard." }] }],
    },
  }),
];

interface Pair {
  readonly a: World;
  readonly b: World;
  readonly session: SessionId;
  events<T extends EventType>(type: T): Promise<readonly StoredEvent<T>[]>;
  seen(type: EventType, count?: number): Promise<void>;
  /** Where each stretch of a turn was driven. */
  drivers(): Promise<readonly unknown[]>;
}

/** Two sets of services, each with its own connections, time and marks, and a turn that the first drives. */
async function pair(options: WorldOptions, ofFirst: WorldOptions = {}): Promise<Pair> {
  const marks = `n${++pairs}n`;
  const open = async (name: string, more: WorldOptions) => {
    const store = await openPostgresStore({ url });
    const made = world({ ...options, store, time: handTime(Date.now()), mark: `${name}${marks}`, ...more });
    onTestFinished(async () => {
      await made.services.turns.stop("The test is over.");
      await made.log.close();
      expect(made.reported).toEqual([]);
    });
    return made;
  };
  const a = await open("a", ofFirst);
  const b = await open("b", {});
  const { session_id: session } = await a.services.sessions.create(ADA, {});
  const events = async <T extends EventType>(type: T) =>
    (await everything(b.log, session)).filter((event) => is(event, type));
  await a.services.turns.start(ADA, session, { input: "begin" });
  return {
    a,
    b,
    session,
    events,
    seen: (type, count = 1) => until(async () => (await events(type)).length >= count),
    async drivers() {
      const states = (await events("runtime.session.state")).map(({ data }) => data);
      const of = states.filter(({ status }) => status === "running").map(({ process_id }) => process_id);
      return of.map((process_id) => String(process_id).replace(marks, ""));
    },
  };
}

const outputs = (completed: readonly AnyEvent[]) =>
  completed.map(({ data }) => (data as { output: string }).output);

describe("a turn that one process drives", () => {
  it("hears what steers it through another", async () => {
    const wait = gated();
    const { b, session, seen, events, drivers } = await pair({ models: models(WAIT), tools: [wait] });
    await seen("agent.tool.batch");
    const { input_id } = await b.services.turns.steer(ADA, session, { input: "mind the gap" });
    wait.letGo({ result: "news" });
    await seen("runtime.request.completed");
    expect((await events("runtime.input.taken")).map(({ data }) => data)).toMatchObject([{ input_id }]);
    expect(outputs(await events("runtime.request.completed"))).toEqual(["Heard."]);
    expect(await drivers()).toEqual(["hosta:1"]);
  });

  it("is followed by what was queued through another", async () => {
    const wait = gated();
    const { b, session, seen, events } = await pair({ models: models(WAIT), tools: [wait] });
    await seen("agent.tool.batch");
    const { input_id } = await b.services.turns.queue(ADA, session, { input: "and then" });
    wait.letGo({ result: "news" });
    await seen("runtime.request.completed", 2);
    expect(outputs(await events("runtime.request.completed"))).toEqual(["Done.", "Heard."]);
    const [, second] = await events("runtime.request.started");
    expect(second?.data).toMatchObject({ input_id });
  });

  it("goes by what was decided through another while it was busy, and is not parked for it", async () => {
    const wait = gated();
    const calls = models(WAIT, CHANGE);
    const { b, session, seen, events, drivers } = await pair({ models: calls, tools: [wait, writer] });
    await seen("agent.tool.batch");
    const [asked] = await events("runtime.question.asked");
    await b.services.questions.decide(ADA, asked?.data.request_id ?? "", { decision: "approved" });
    wait.letGo({ result: "news" });
    await seen("runtime.request.completed");
    const outcomes = (await events("agent.tool.outcome")).map(({ data }) => data);
    expect(outcomes).toMatchObject([
      { tool_name: "wait", status: "ok" },
      { tool_name: "change", status: "ok" },
    ]);
    expect(await events("runtime.turn.resumed")).toEqual([]);
    expect(await drivers()).toEqual(["hosta:1"]);
    expect((await b.services.sessions.get(ADA, session)).turn_id).toBeNull();
  });

  it("goes on where it was decided, when it was parked", async () => {
    const { b, seen, events, drivers } = await pair({ models: models(CHANGE), tools: [writer] });
    await seen("runtime.turn.ended");
    const [asked] = await events("runtime.question.asked");
    await b.services.questions.decide(ADA, asked?.data.request_id ?? "", { decision: "approved" });
    await seen("runtime.request.completed");
    expect(await drivers()).toEqual(["hosta:1", "hostb:1"]);
  });

  it("goes on where somebody looks, when who decided could not drive it", async () => {
    const { a, b, session, seen, events, drivers } = await pair({ models: models(CHANGE), tools: [writer] });
    await seen("runtime.turn.ended");
    const [asked] = await events("runtime.question.asked");
    const ids = { next: () => "unused" } as never;
    const questions = createQuestions({ log: b.log, ids, clock: b.time.clock, redactor: createRedactor() });
    await questions.decide(ADA, asked?.data.request_id ?? "", { decision: "denied", note: "Not today." });
    expect(await events("runtime.turn.resumed")).toEqual([]);
    expect(await a.services.turns.recover()).toBe(1);
    await seen("runtime.request.completed");
    expect((await events("agent.tool.outcome")).map(({ data }) => data)).toMatchObject([
      { status: "denied", error: "ada denied this call: Not today." },
    ]);
    expect(await drivers()).toEqual(["hosta:1", "hosta:1"]);
    expect((await b.services.sessions.get(ADA, session)).turn_id).toBeNull();
  });

  it("is stopped through another while its tool runs", async () => {
    const wait = gated();
    const { b, session, seen, events } = await pair({ models: models(WAIT), tools: [wait] });
    await seen("agent.tool.batch");
    await b.services.turns.cancel(ADA, session, "enough");
    expect((await events("agent.tool.outcome")).map(({ data }) => data)).toMatchObject([{ status: "error" }]);
    expect((await events("runtime.turn.ended")).map(({ data }) => data)).toMatchObject([
      { status: "cancelled", reason: "enough" },
    ]);
  });
});

describe("a process that loses its lease while a tool runs", () => {
  it("stops the tool and appends nothing more", async () => {
    const wait = gated({ effect: "once" });
    let told: AbortSignal | undefined;
    const run: Tool["run"] = (args, context) => {
      told = context.signal;
      return wait.run(args, context);
    };
    const appended: boolean[] = [];
    let taken = false;
    const { a, b, session, seen, events } = await pair(
      { models: models(WAIT), tools: [{ ...wait, run }], limits: { leaseMs: 400 } },
      {
        wrap: (log) => ({
          ...log,
          async append(append) {
            const answer = await log.append(append);
            if (taken) appended.push(answer.ok);
            return answer;
          },
        }),
      },
    );
    await seen("agent.tool.batch");
    // Its time stands still, so that it does not renew; that of the database does not.
    await until(async () => (await b.services.turns.recover()) === 1);
    taken = true;
    await seen("runtime.question.asked");
    await seen("runtime.turn.ended");
    expect(told?.aborted).toBe(false);
    const head = (await everything(b.log, session)).length;
    await a.time.advance(400);
    await until(() => told?.aborted === true);
    await a.services.turns.stop("It has lost the turn.");
    expect(appended).toEqual([]);
    expect((await everything(b.log, session)).length).toBe(head);
    // Whoever holds it now has asked a person, since it may have taken effect.
    const [asked] = await events("runtime.question.asked");
    await b.services.questions.decide(ADA, asked?.data.request_id ?? "", {
      decision: "approved",
      answer: { outcome: "happened" },
    });
    await seen("runtime.request.completed");
    expect(await events("agent.tool.outcome")).toHaveLength(1);
  });

  it("does not say how the tool ended, though nobody has taken over yet", async () => {
    const wait = gated({ effect: "once" });
    const { a, b, session, seen, events } = await pair(
      { models: models(WAIT), tools: [wait], limits: { leaseMs: 400 } },
      // It cannot renew, and so it cannot know that the lease is still its own.
      { wrap: (log) => ({ ...log, renewLease: () => Promise.reject(new Error("The store is away.")) }) },
    );
    await seen("agent.tool.batch");
    await a.time.advance(400);
    await until(async () => (await b.services.turns.recover()) === 1);
    // A failure on record would tell the model that it may try again.
    await seen("runtime.question.asked");
    expect(await events("agent.tool.outcome")).toEqual([]);
    expect((await events("runtime.effect.verdict")).map(({ data }) => data)).toMatchObject([
      { verdict: "ask" },
    ]);
    expect((await b.services.sessions.get(ADA, session)).status).toBe("awaiting_approval");
  });

  it("says what the tool gave back all the same", async () => {
    const wait = gated({ effect: "once" });
    const run: Tool["run"] = (args, context) => {
      context.signal.addEventListener("abort", () => wait.letGo({ result: "news" }));
      return wait.run(args, { ...context, signal: new AbortController().signal });
    };
    const { a, b, seen, events } = await pair(
      { models: models(WAIT), tools: [{ ...wait, run }], limits: { leaseMs: 400 } },
      { wrap: (log) => ({ ...log, renewLease: () => Promise.reject(new Error("The store is away.")) }) },
    );
    await seen("agent.tool.batch");
    await a.time.advance(400);
    await until(async () => (await b.services.turns.recover()) === 1);
    await seen("runtime.request.completed");
    expect((await events("agent.tool.outcome")).map(({ data }) => data)).toMatchObject([{ status: "ok" }]);
    expect(await events("runtime.question.asked")).toEqual([]);
  });
});

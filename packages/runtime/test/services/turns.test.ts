import type { AnyEvent, SessionId } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import { frontendFrame } from "../../src/faces/frontend.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import type { Step } from "../../src/models/script.ts";
import type { Model, ModelPart, ModelRequest } from "../../src/ports/model.ts";
import {
  type World,
  actor,
  codeOf,
  errorOf,
  everything,
  handTime,
  script,
  settle,
  world,
} from "../support/world.ts";

const ADA = actor("operator", "ada");

async function newSession({ services }: World): Promise<SessionId> {
  return (await services.sessions.create(ADA, {})).session_id;
}

/** Waits until the session has no open turn, and gives its events after the first. */
async function afterTurn({ log, services }: World, session: SessionId): Promise<readonly AnyEvent[]> {
  for (let i = 0; i < 100; i++) {
    await settle();
    if ((await services.sessions.get(ADA, session)).turn_id === null)
      return (await everything(log, session)).slice(1);
  }
  throw new Error("the turn did not end");
}

const names = (events: readonly AnyEvent[]) => events.map((event) => frontendFrame(event)?.type);
const last = (events: readonly AnyEvent[], type: string) =>
  events.findLast((event) => event.type === type)?.data as Record<string, unknown>;

/** A model whose answer the test plays by hand. */
function playedModel(): Model & {
  readonly asked: ModelRequest[];
  say(part: ModelPart): void;
  readonly aborted: () => boolean;
} {
  const asked: ModelRequest[] = [];
  const parts: ModelPart[] = [];
  let wake = () => {};
  let signal: AbortSignal | undefined;
  return {
    provider: "test",
    id: "played",
    asked,
    say(part) {
      parts.push(part);
      wake();
    },
    aborted: () => signal?.aborted ?? false,
    async *stream(request, given) {
      asked.push(request);
      signal = given;
      for (;;) {
        const part = parts.shift();
        if (part !== undefined) yield part;
        if (part?.type === "finish") return;
        if (part === undefined) await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

describe("a turn", () => {
  it("is recorded whole, in the order of the contract", async () => {
    const w = world({ steps: [{ say: "Hello there, Ada." }] });
    const session = await newSession(w);
    const started = await w.services.turns.start(ADA, session, { input: "Hi" });
    const events = await afterTurn(w, session);
    expect(names(events)).toEqual([
      "session_state",
      "turn_start",
      "turn_start_tools",
      // How runs are told to supervisors: in the log, and not on this face.
      undefined,
      "policy_decision",
      "policy_decision",
      // One for all words that came in one go.
      "token",
      "response",
      "usage",
      "antahkarana",
      "turn_end",
      "completed",
      undefined,
      "session_state",
    ]);
    expect(
      events.filter((event) => frontendFrame(event) === null).map(({ type, data }) => [type, data]),
    ).toMatchObject([
      ["runtime.run.lifecycle", { run_id: "trn_0001", status: "executing", prompt: "Hi", depth: 0 }],
      ["runtime.run.lifecycle", { run_id: "trn_0001", status: "completed", depth: 0 }],
    ]);
    expect(
      events.filter((event) => event.type === "runtime.policy.decision").map((event) => event.data),
    ).toMatchObject([
      { subject: "turn_runtime", outcome: "configured" },
      { subject: "pre_prompt", outcome: "allow" },
    ]);
    expect(started).toEqual({ session_id: session, turn_id: "trn_0001", seq: 2 });
    expect(events[1]).toMatchObject({ seq: 3, data: { turn_id: "trn_0001", input: "Hi" } });
    expect(events.map((event) => event.turn_id)).toEqual(events.map(() => "trn_0001"));
    expect(events.slice(2).map((event) => event.cause)).toEqual(events.slice(2).map(() => events[1]?.id));
    expect(last(events, "agent.output.completed")).toMatchObject({ text: "Hello there, Ada." });
    expect(
      events
        .filter((event) => event.type === "agent.output.delta")
        .map((event) => (event.data as { text: string }).text)
        .join(""),
    ).toBe("Hello there, Ada.");
    expect(await w.services.sessions.get(ADA, session)).toMatchObject({
      status: "idle",
      turn_id: null,
      title: "Hi",
      head_seq: 15,
    });
    expect(w.reported).toEqual([]);
  });

  it("is seen as running, with its process, before the model has said anything", async () => {
    const model = playedModel();
    const w = world({ models: [model] });
    const session = await newSession(w);
    const { turn_id } = await w.services.turns.start(ADA, session, { input: "Hi" });
    expect(await w.services.sessions.get(ADA, session)).toMatchObject({
      status: "running",
      turn_id,
      state: { process_id: "host:1" },
    });
    const refused = await errorOf(w.services.turns.start(ADA, session, { input: "again" }));
    expect(refused).toMatchObject({ code: "turn_active", details: { turn_id, process_id: "host:1" } });
    model.say({ type: "text", text: "done" });
    model.say({ type: "finish", reason: "length" });
    const events = await afterTurn(w, session);
    expect(last(events, "runtime.turn.ended")).toEqual({ turn_id, status: "completed", reason: "length" });
  });

  it("tells the model who it is and what was said before, and of a request without an answer why", async () => {
    const model = playedModel();
    const w = world({ models: [model] });
    const session = await newSession(w);
    const long = "x".repeat(40_000);
    for (const [input, answer] of [
      ["one", long],
      ["two", null],
      ["three", "drei"],
    ] as const) {
      await w.services.turns.start(ADA, session, { input });
      await settle();
      if (answer === null) {
        await w.services.turns.cancel(ADA, session);
        model.say({ type: "finish", reason: "stop" });
      } else {
        model.say({ type: "text", text: answer });
        model.say({ type: "finish", reason: "stop" });
      }
      await afterTurn(w, session);
    }
    const [system, ...said] = model.asked.at(-1)?.messages ?? [];
    expect(system).toMatchObject({ role: "system", text: expect.stringContaining("workspace") });
    expect(said).toEqual([
      { role: "user", text: "one" },
      { role: "assistant", text: long, by: "test/played" },
      { role: "user", text: "two" },
      { role: "assistant", text: "(This request got no answer: cancelled, cancelled by ada.)" },
      { role: "user", text: "three" },
    ]);
  });

  it("can follow another at once, when the first one's end is seen", async () => {
    const w = world();
    const session = await newSession(w);
    await w.services.turns.start(ADA, session, { input: "1" });
    let count = 1;
    for await (const batch of w.log.subscribe(session)) {
      const over = batch.at(-1);
      if (
        over?.type !== "runtime.session.state" ||
        over.seq === 1 ||
        (over.data as { status: string }).status !== "idle"
      )
        continue;
      if (count === 5) break;
      count += 1;
      await w.services.turns.start(ADA, session, { input: String(count) });
    }
    expect(count).toBe(5);
  });

  it("writes at most forty deltas a second, the first at once, and loses no letter", async () => {
    const time = handTime();
    const model = playedModel();
    const w = world({ time, models: [model] });
    const session = await newSession(w);
    await w.services.turns.start(ADA, session, { input: "Hi" });
    await settle();
    const begin = time.clock.now();
    let said = "";
    const say = (type: "text" | "thinking", text: string) => {
      if (type === "text") said += text;
      model.say({ type, text });
    };
    say("text", "first");
    await settle();
    expect((await everything(w.log, session)).at(-1)).toMatchObject({
      type: "agent.output.delta",
      data: { text: "first" },
    });
    for (let i = 0; i < 500; i++) {
      say(i % 3 === 0 ? "thinking" : "text", ` w${i}`);
      await time.advance(4);
    }
    model.say({ type: "finish", reason: "stop" });
    const events = await afterTurn(w, session);
    const deltas = events.filter((event) => event.type === "agent.output.delta");
    const seconds = Math.ceil((time.clock.now() - begin) / 1000);
    expect(deltas.length).toBeGreaterThan(10);
    for (let s = 0; s < seconds; s++) {
      const within = deltas.filter((event) => Math.floor((Date.parse(event.at) - begin) / 1000) === s);
      expect(within.length).toBeLessThanOrEqual(41);
    }
    expect(deltas.map((event) => (event.data as { text: string }).text).join("")).toBe(said);
    expect(last(events, "runtime.request.completed")).toMatchObject({ output: said });
  });

  it("splits a flood so that no piece of it is moved out of the log", async () => {
    const flood = "😀".repeat(30_001);
    const w = world({ steps: [{ say: flood }] });
    const session = await newSession(w);
    await w.services.turns.start(ADA, session, { input: "Hi" });
    const deltas = (await afterTurn(w, session)).filter((event) => event.type === "agent.output.delta");
    expect(deltas.every((event) => event.blobs === undefined)).toBe(true);
    expect(deltas.map((event) => (event.data as { text: string }).text).join("")).toBe(flood);
  });

  const FAULTS: readonly (readonly [string, readonly Step[], string, string])[] = [
    [
      "a model that throws",
      [{ say: "half an" }, { fail: "the provider said 529" }],
      "model_error",
      "the provider said 529",
    ],
    [
      "a model that breaks off",
      [{ say: "half an" }, { cut: true }],
      "model_truncated",
      "The model's answer broke off.",
    ],
    ["a model that says nothing", [{ think: "hm" }], "model_empty", "The model gave no answer."],
    [
      "a model that sends garbage",
      [{ say: "ok" }, { garbage: { type: "text", text: 7 } }],
      "model_invalid",
      "The model sent something that is not part of an answer.",
    ],
    [
      "a model that sends nothing at all",
      [{ garbage: null }],
      "model_invalid",
      "The model sent something that is not part of an answer.",
    ],
    [
      "a model that talks without end",
      [{ say: "word ".repeat(1000) }],
      "output_limit",
      "The model's answer grew beyond the limit.",
    ],
  ];
  it.each(FAULTS)("fails with a stable code: %s", async (_, steps, code, error) => {
    const w = world({ steps, limits: { outputChars: 3_000 } });
    const session = await newSession(w);
    const { turn_id } = await w.services.turns.start(ADA, session, { input: "Hi" });
    const events = await afterTurn(w, session);
    expect(names(events).slice(-4)).toEqual(["turn_end", "error", undefined, "session_state"]);
    expect(last(events, "runtime.request.failed")).toEqual({ turn_id, code, error });
    expect(last(events, "runtime.turn.ended")).toEqual({ turn_id, status: "failed", reason: code });
    expect(await w.services.sessions.get(ADA, session)).toMatchObject({
      status: "idle",
      turn_id: null,
      state: { last_error: error },
    });
    await w.services.turns.start(ADA, session, { input: "again" });
    await afterTurn(w, session);
  });

  it("fails when the model throws before it begins", async () => {
    const broken: Model = {
      provider: "test",
      id: "broken",
      stream() {
        throw new Error("no route to host");
      },
    };
    const w = world({ models: [broken] });
    const session = await newSession(w);
    await w.services.turns.start(ADA, session, { input: "Hi" });
    expect(last(await afterTurn(w, session), "runtime.request.failed")).toMatchObject({
      code: "model_error",
      error: "no route to host",
    });
  });

  it("fails when the model falls silent, and goes on while it does not", async () => {
    const w = world({ models: [playedModel()], limits: { idleMs: 1_000, callMs: 10_000 } });
    const model = playedModel();
    const busy = world({ models: [model], limits: { idleMs: 1_000, callMs: 10_000 } });
    const [silent, talking] = [await newSession(w), await newSession(busy)];
    await w.services.turns.start(ADA, silent, { input: "Hi" });
    await busy.services.turns.start(ADA, talking, { input: "Hi" });
    await settle();
    await w.time.advance(999);
    expect((await w.services.sessions.get(ADA, silent)).turn_id).not.toBeNull();
    await w.time.advance(1);
    expect(last(await afterTurn(w, silent), "runtime.request.failed")).toMatchObject({
      code: "model_timeout",
    });
    // Never silent for long, but without an end: the other limit ends it.
    for (let i = 0; i < 19; i++) {
      model.say({ type: "text", text: "." });
      await busy.time.advance(500);
    }
    expect((await busy.services.sessions.get(ADA, talking)).turn_id).not.toBeNull();
    await busy.time.advance(500);
    expect(last(await afterTurn(busy, talking), "runtime.request.failed")).toMatchObject({
      code: "model_timeout",
    });
    expect(model.aborted()).toBe(true);
  });

  it("refuses what says nothing, names no session or comes from the wrong role, and changes nothing", async () => {
    const w = world();
    const session = await newSession(w);
    const system = "ses_system";
    await w.log.append({
      writes: [
        {
          stream: system,
          create: { owner: "system", kind: "background", project: null, broadcast: false, created_by: null },
          events: [{ type: "runtime.session.state", data: { session_id: system, status: "idle" } }],
        },
      ],
    });
    const { turns } = w.services;
    expect(await codeOf(turns.start(ADA, session, { input: " \n" }))).toBe("bad_request");
    expect(await codeOf(turns.start(ADA, "ses_none", { input: "Hi" }))).toBe("session_not_found");
    expect(await codeOf(turns.start(ADA, system, { input: "Hi" }))).toBe("system_session");
    expect(await codeOf(turns.cancel(ADA, system))).toBe("system_session");
    expect(await codeOf(turns.start(actor("viewer"), session, { input: "Hi" }))).toBe("forbidden");
    expect(await codeOf(turns.cancel(actor("viewer"), session))).toBe("forbidden");
    expect(await codeOf(turns.start(actor("agent"), session, { input: "Hi" }))).toBe("session_not_found");
    expect(await codeOf(turns.start(actor("admin", "eve", "other"), session, { input: "Hi" }))).toBe(
      "session_not_found",
    );
    expect(await codeOf(turns.cancel(ADA, session))).toBe("turn_not_found");
    expect((await w.log.readAll()).events).toHaveLength(2);
  });

  it("runs the scripted model by name, and a session cannot name one that is not there", async () => {
    const [one, two] = ["one", "two"].map((id) =>
      scriptedModel({ id, script: script({ say: `I am ${id}.` }) }),
    ) as [Model, Model];
    const w = world({ models: [one, two] });
    const session = await w.services.sessions.create(ADA, { model: "two" });
    await w.services.turns.start(ADA, session.session_id, { input: "Who?" });
    expect(last(await afterTurn(w, session.session_id), "runtime.request.completed")).toMatchObject({
      output: "I am two.",
    });
    expect(await errorOf(w.services.sessions.create(ADA, { model: "three" }))).toMatchObject({
      code: "bad_request",
      details: { models: ["one", "two"] },
    });
  });
});

import type { NewEvent, SessionId } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import { is } from "../../src/domain/event.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { ModelFault, type Model, type ModelPart } from "../../src/ports/model.ts";
import type { Tool, ToolArguments } from "../../src/ports/tool.ts";
import { loadCarried } from "../../src/services/loop/load.ts";
import { ADMIN, everything, settle, type World, world } from "../support/world.ts";

const SECRET = `ghp_${"a1B2".repeat(9)}`;

function note(ran: ToolArguments[]): Tool {
  return {
    spec: {
      name: "note",
      description: "Writes a note.",
      parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    },
    access: "write",
    effect: "once",
    timeoutMs: 1_000,
    parallel: false,
    origin: "module:test",
    run: async (args) => {
      ran.push(args);
      return { result: "noted" };
    },
  };
}

const calls = (text: string) =>
  scriptedModel({
    script: { rules: [{ rounds: [[{ call: "note", with: { text } }], [{ say: "Done." }]] }] },
  });

/** A provider that takes no more for a long while. */
function tooMany(): AsyncIterable<ModelPart> {
  const refuse = () => Promise.reject(new ModelFault("rate_limit", "Too many.", { retryAfterMs: 60_000 }));
  return { [Symbol.asyncIterator]: () => ({ next: refuse }) };
}

async function rest({ services, time }: World, session: SessionId): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await settle();
    const { turn_id, status } = await services.sessions.get(ADMIN, session);
    if (turn_id === null || status === "awaiting_approval" || status === "queued") return;
    await time.advance(1_000);
  }
  throw new Error("the turn did not come to rest");
}

async function pendingOf({ services }: World, session: SessionId) {
  return (await services.questions.list(ADMIN, { state: "pending", session_id: session })).rows;
}

describe("what a careful reader found", () => {
  it("a large approved call runs as it was, secrets far inside included, in another process too", async () => {
    const ran: ToolArguments[] = [];
    const text = `${"x ".repeat(30_000)}${SECRET}`;
    const w = world({ models: [calls(text)], tools: [note(ran)] });
    const { session_id } = await w.services.sessions.create(ADMIN, {});
    await w.services.turns.start(ADMIN, session_id, { input: "go" });
    await rest(w, session_id);
    expect(JSON.stringify(await everything(w.log, session_id))).not.toContain(SECRET);
    await w.services.turns.stop("test");
    const again = world({
      store: w.store,
      time: w.time,
      models: [calls(text)],
      tools: [note(ran)],
      mark: "b",
    });
    const [question] = await pendingOf(again, session_id);
    await again.services.questions.decide(ADMIN, question?.request_id ?? "", { decision: "approved" });
    await rest(again, session_id);
    expect(ran).toEqual([{ text }]);
    const { state } = await loadCarried(again.log, session_id);
    expect(JSON.stringify(state.messages)).toContain(SECRET);
  });

  it("a yes to edited arguments is none to what a rule makes of them", async () => {
    const ran: ToolArguments[] = [];
    const rules = `
rules:
  - id: change
    on: [pre_action]
    when: event.payload.arguments.text == "special"
    decide: modify
    patch: { arguments: { text: changed } }
`;
    const w = world({ models: [calls("plain")], tools: [note(ran)], rules });
    const { session_id } = await w.services.sessions.create(ADMIN, {});
    await w.services.turns.start(ADMIN, session_id, { input: "go" });
    await rest(w, session_id);
    const [first] = await pendingOf(w, session_id);
    await w.services.questions.decide(ADMIN, first?.request_id ?? "", {
      decision: "edited",
      edited: { text: "special" },
    });
    await rest(w, session_id);
    expect(ran).toEqual([]);
    const [second] = await pendingOf(w, session_id);
    expect(second?.shown).toMatchObject({ arguments: { text: "changed" } });
    await w.services.questions.decide(ADMIN, second?.request_id ?? "", { decision: "approved" });
    await rest(w, session_id);
    expect(ran).toEqual([{ text: "changed" }]);
  });

  it("a limit that outlasts patience goes to the model that stands in, and is not waited for", async () => {
    const limited: Model = {
      provider: "far",
      id: "limited",
      stream: () => tooMany(),
    };
    const w = world({
      models: [limited, scriptedModel({ script: { rules: [{ do: [{ say: "Here." }] }] }, id: "near" })],
      fallbacks: ["near"],
      limits: { callTries: 3 },
    });
    const { session_id } = await w.services.sessions.create(ADMIN, {});
    await w.services.turns.start(ADMIN, session_id, { input: "go" });
    await rest(w, session_id);
    const events = await everything(w.log, session_id);
    expect(events.find((event) => is(event, "runtime.transport.diagnostic"))?.data).toMatchObject({
      provider_requested: "far",
      provider_actual: "fairlead",
    });
    expect(events.some((event) => is(event, "runtime.request.completed"))).toBe(true);
  });

  it("a limit with nobody to stand in is waited for a few times, and then it is the end", async () => {
    let asked = 0;
    const limited: Model = {
      provider: "far",
      id: "limited",
      stream() {
        asked += 1;
        return tooMany();
      },
    };
    const w = world({ models: [limited], limits: { callTries: 2 } });
    const { session_id } = await w.services.sessions.create(ADMIN, {});
    await w.services.turns.start(ADMIN, session_id, { input: "go" });
    for (let i = 0; i < 10; i++) {
      await rest(w, session_id);
      await w.time.advance(61_000);
      await w.services.turns.recover();
    }
    const ends = (await everything(w.log, session_id)).filter((event) => is(event, "runtime.request.failed"));
    expect(ends.map((event) => (event.data as { code: string }).code)).toEqual(["model_limited"]);
    expect(asked).toBeLessThan(6);
  });

  it("what was said to a turn that is stopped goes with it, and what was said for after it stays", async () => {
    const w = world({ steps: [{ hang: true }] });
    const { session_id } = await w.services.sessions.create(ADMIN, {});
    await w.services.turns.start(ADMIN, session_id, { input: "first" });
    await w.services.turns.steer(ADMIN, session_id, { input: "to the first" });
    await w.services.turns.queue(ADMIN, session_id, { input: "after it" });
    await w.services.turns.cancel(ADMIN, session_id);
    await settle();
    const events = await everything(w.log, session_id);
    const inputs = events.filter((event) => is(event, "runtime.request.started")) as NewEvent[];
    expect(inputs.map((event) => (event.data as { input: string }).input)).toEqual(["first", "after it"]);
    expect(events.find((event) => is(event, "runtime.input.taken"))?.data).toMatchObject({
      dropped: "The turn was cancelled.",
    });
    await w.services.turns.cancel(ADMIN, session_id);
  });

  it("calls of an answer that was filtered are not run", async () => {
    const ran: ToolArguments[] = [];
    const model = scriptedModel({
      script: {
        rules: [{ do: [{ say: "Let me." }, { call: "note", with: { text: "x" } }, { finish: "filter" }] }],
      },
    });
    const w = world({ models: [model], tools: [note(ran)] });
    const { session_id } = await w.services.sessions.create(ADMIN, { permission_mode: "full_access" });
    await w.services.turns.start(ADMIN, session_id, { input: "go" });
    await rest(w, session_id);
    expect(ran).toEqual([]);
    const events = await everything(w.log, session_id);
    expect(events.find((event) => is(event, "runtime.turn.ended"))?.data).toMatchObject({
      status: "completed",
      reason: "filter",
    });
  });

  it("a yes to a change is none once something else would be changed", async () => {
    const ran: ToolArguments[] = [];
    let before = "one";
    const tool = {
      ...note(ran),
      preview: async ({ text }: ToolArguments) => ({ diff: `-${before}\n+${String(text)}` }),
    };
    const w = world({ models: [calls("two")], tools: [tool] });
    const { session_id } = await w.services.sessions.create(ADMIN, {});
    await w.services.turns.start(ADMIN, session_id, { input: "go" });
    await rest(w, session_id);
    const [first] = await pendingOf(w, session_id);
    before = "edited by a person";
    await w.services.questions.decide(ADMIN, first?.request_id ?? "", { decision: "approved" });
    await rest(w, session_id);
    expect(ran).toEqual([]);
    const [second] = await pendingOf(w, session_id);
    expect(second?.shown).toMatchObject({ diff: "-edited by a person\n+two" });
    await w.services.questions.decide(ADMIN, second?.request_id ?? "", { decision: "approved" });
    await rest(w, session_id);
    expect(ran).toEqual([{ text: "two" }]);
  });
});

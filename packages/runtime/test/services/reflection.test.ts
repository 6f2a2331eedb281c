import type { AnyEvent } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import { LOOK_BACK } from "../../src/domain/loop/reflection.ts";
import type { Model, ModelRequest } from "../../src/ports/model.ts";
import { loadCarried } from "../../src/services/loop/load.ts";
import { ADA, look, model, scene, tool, writer } from "../golden/scene.ts";
import { faults } from "../branches/support.ts";
import { codeOf } from "../support/world.ts";

const broken = tool("open", () => Promise.reject(new Error("It is locked.")));
const CHANGED = [[{ call: "change", with: { what: "it" } }], [{ say: "It is changed." }]];
const FREE = { permission_mode: "full_access", reflection: { before_finish: true } } as const;

/** The model, and what it was asked. */
function watched(
  rule: Parameters<typeof model>[0],
  asked: ModelRequest[] = [],
  more: Partial<Model> = {},
): Model {
  const inner = model(rule);
  return {
    provider: inner.provider,
    id: inner.id,
    stream(request, signal) {
      asked.push(request);
      return inner.stream(request, signal);
    },
    ...more,
  };
}

const dataOf = (events: readonly AnyEvent[], type: string) =>
  events.filter((event) => event.type === type).map(({ data }) => data as Record<string, unknown>);

describe("a model that looks back", () => {
  it("is told why, is offered its tools, and is asked again with what it said", async () => {
    const asked: ModelRequest[] = [];
    const rounds = [
      [{ call: "open", with: { what: "it" } }],
      [{ say: "I need a key." }],
      [{ say: "Where is the key?" }],
    ];
    const play = await scene(
      { models: [watched({ rounds }, asked)], tools: [broken, look] },
      { reflection: { after_failures: 1 } },
    );
    await play.start();
    await play.rest();
    expect(asked).toHaveLength(3);
    expect(asked[1]?.messages.at(-1)).toMatchObject({ role: "user", text: LOOK_BACK.after_failures });
    expect(asked[1]?.tools?.map(({ name }) => name)).toEqual(["open", "look"]);
    expect(asked[2]?.messages.slice(-2)).toMatchObject([
      { role: "assistant", text: "I need a key." },
      { role: "user", injected: true },
    ]);
    // What it said to itself is no answer: no piece of it was shown as one.
    const events = await play.events();
    expect(JSON.stringify(dataOf(events, "agent.output.delta"))).not.toContain("I need a key.");
    expect(dataOf(events, "runtime.request.completed")).toMatchObject([{ output: "Where is the key?" }]);
  });

  it("is asked once for each row of failures, and a success begins another row", async () => {
    const fail = [{ call: "open", with: { what: "it" } }];
    const rounds = [
      fail,
      [{ call: "look", with: { what: "it" } }],
      fail,
      fail,
      [{ say: "First." }],
      fail,
      [{ say: "Then I give up." }],
    ];
    const play = await scene(
      { models: [model({ rounds })], tools: [broken, look] },
      { reflection: { after_failures: 2 } },
    );
    await play.start();
    await play.rest();
    expect(dataOf(await play.events(), "agent.reflection")).toMatchObject([{ text: "First.", step: 5 }]);
  });

  it("is asked after calls that do not fit, too", async () => {
    const rounds = [
      [{ call: "look", with: { times: 1 } }],
      [{ say: "I left out what." }],
      [{ say: "Done." }],
    ];
    const play = await scene(
      { models: [model({ rounds })], tools: [look] },
      { reflection: { after_failures: 1 } },
    );
    await play.start();
    await play.rest();
    expect(dataOf(await play.events(), "agent.reflection")).toMatchObject([{ text: "I left out what." }]);
  });

  it("looks back three times before the end at most: one that always finds something more still finishes", async () => {
    const more = [{ call: "change", with: { what: "more" } }];
    const rounds = [more, ...Array.from({ length: 5 }, () => [[{ say: "Done." }], more]).flat()];
    const play = await scene({ models: [model({ rounds })], tools: [writer] }, FREE);
    await play.start();
    await play.rest();
    const events = await play.events();
    expect(dataOf(events, "agent.reflection")).toHaveLength(3);
    expect(dataOf(events, "runtime.turn.ended")).toMatchObject([{ status: "completed" }]);
  });

  it("costs what it costs", async () => {
    const price = { input: 1_000_000, output: 1_000_000 };
    const usage = { usage: { input_tokens: 2, output_tokens: 3 } };
    const play = await scene(
      {
        models: [watched({ rounds: [...CHANGED, [{ say: "Checked." }, usage]] }, [], { price })],
        tools: [writer],
      },
      FREE,
    );
    await play.start();
    await play.rest();
    const events = await play.events();
    expect(dataOf(events, "agent.usage").at(-1)).toMatchObject({ step: 3, total_tokens: 5, cost_usd: 5 });
    const spent = dataOf(events, "agent.usage").reduce((sum, one) => sum + Number(one["cost_usd"]), 0);
    const [summary] = dataOf(events, "runtime.cognition.summary");
    expect(summary).toMatchObject({ details: { spent: { steps: 3, cost_usd: spent } } });
  });

  it("that fails leaves the answer as it was, and the next request hears nothing of it", async () => {
    const rounds = [...CHANGED, [{ fail: "Overloaded.", status: 503 }]];
    const play = await scene({ models: [model({ rounds })], tools: [writer] }, FREE);
    await play.start();
    await play.rest();
    const events = await play.events();
    expect(dataOf(events, "agent.reflection")).toEqual([]);
    expect(dataOf(events, "runtime.transport.diagnostic")).toMatchObject([
      { kind: "reflection_skipped", reason: "Overloaded.", details: { trigger: "before_finish" } },
    ]);
    expect(dataOf(events, "runtime.request.completed")).toMatchObject([{ output: "It is changed." }]);
    const { state } = await loadCarried(play.w.log, play.session);
    expect(state.messages.at(-1)).toMatchObject({ role: "assistant", text: "It is changed." });
  });

  it("is not asked where a rule forbids it, and what was done stays done", async () => {
    const asked: ModelRequest[] = [];
    const rules =
      "rules:\n  - {id: few, on: [pre_prompt], when: 'history.event(\"pre_prompt\") >= 2', decide: block, reason: Enough.}\n";
    const play = await scene({ models: [watched({ rounds: CHANGED }, asked)], tools: [writer], rules }, FREE);
    await play.start();
    await play.rest();
    const events = await play.events();
    expect(asked).toHaveLength(2);
    expect(dataOf(events, "runtime.transport.diagnostic")).toMatchObject([
      { kind: "reflection_skipped", reason: expect.stringContaining("Enough.") },
    ]);
    expect(dataOf(events, "runtime.turn.ended")).toMatchObject([{ status: "completed" }]);
  });

  it.each([
    ["approved", ["Checked."], []],
    ["denied", [], ["reflection_skipped"]],
  ] as const)(
    "waits for the person whom a rule wants asked: %s",
    async (decision, reflections, diagnostics) => {
      const rules =
        "rules:\n  - {id: third, on: [pre_prompt], when: 'history.event(\"pre_prompt\") == 2', decide: escalate, reason: Look.}\n";
      const asked: ModelRequest[] = [];
      const rounds = [...CHANGED, [{ say: "Checked." }]];
      const play = await scene({ models: [watched({ rounds }, asked)], tools: [writer], rules }, FREE);
      await play.start();
      await play.rest();
      expect(asked).toHaveLength(2);
      expect(dataOf(await play.events(), "runtime.turn.ended")).toMatchObject([{ status: "parked" }]);
      await play.decide({ decision });
      const events = await play.events();
      expect(dataOf(events, "agent.reflection").map(({ text }) => text)).toEqual(reflections);
      expect(dataOf(events, "runtime.transport.diagnostic").map(({ kind }) => kind)).toEqual(diagnostics);
      // Told once, whoever went on with it.
      expect(dataOf(events, "runtime.context.injected")).toHaveLength(1);
      expect(dataOf(events, "runtime.request.completed")).toMatchObject([{ output: "It is changed." }]);
    },
  );

  it("is stopped with the turn", async () => {
    const rounds = [...CHANGED, [{ think: "Is it?" }, { hang: true as const }]];
    const play = await scene({ models: [model({ rounds })], tools: [writer] }, FREE);
    await play.start();
    await play.until("agent.thinking.delta");
    await play.w.services.turns.cancel(ADA, play.session);
    await play.rest();
    const events = await play.events();
    expect(dataOf(events, "agent.output.superseded")).toMatchObject([{ step: 3, attempt: 1 }]);
    expect(dataOf(events, "runtime.turn.ended")).toMatchObject([{ status: "cancelled" }]);
    expect(dataOf(events, "agent.reflection")).toEqual([]);
  });

  it("gives its calls to the judge like any other", async () => {
    const rounds = [...CHANGED, [{ say: "And that." }, { call: "change", with: { what: "that" } }]];
    const { reflection } = FREE;
    const play = await scene({ models: [model({ rounds })], tools: [writer] }, { reflection });
    await play.start();
    await play.rest();
    await play.decide({ decision: "approved" });
    expect(await play.question()).toMatchObject({ tool_name: "change", state: "pending" });
    expect(dataOf(await play.events(), "agent.tool.outcome")).toHaveLength(1);
  });

  it("can be chosen and unchosen for a session, and not by what is no choice", async () => {
    const play = await scene({
      models: [model({ rounds: [...CHANGED, [{ say: "Checked." }]] })],
      tools: [writer],
    });
    const { sessions } = play.w.services;
    await sessions.configure(ADA, play.session, FREE);
    await play.start();
    await play.rest();
    expect(dataOf(await play.events(), "agent.reflection")).toHaveLength(1);
    const before = (await play.events()).length;
    const wrong = { reflection: { after_failures: 0 } };
    expect(await codeOf(sessions.configure(ADA, play.session, wrong))).toBe("event_invalid");
    expect(await play.events()).toHaveLength(before);
    await sessions.configure(ADA, play.session, { reflection: {} });
    await play.start();
    await play.rest();
    expect(dataOf(await play.events(), "agent.reflection")).toHaveLength(1);
  });

  it("leaves a sound conversation wherever it is branched from", async () => {
    const rounds = [
      ...CHANGED,
      [{ think: "Is it?" }, { say: "Not yet." }, { call: "change", with: { what: "that" } }],
      [{ say: "Now it is." }],
      [{ say: "Checked." }],
    ];
    const play = await scene({ models: [model({ rounds })], tools: [writer] }, FREE);
    await play.start();
    await play.rest();
    const events = await play.events();
    expect(dataOf(events, "agent.reflection")).toHaveLength(2);
    for (const { id, type } of events) {
      const { session_id } = await play.w.services.branches.branch(ADA, play.session, { from_event_id: id });
      const { state } = await loadCarried(play.w.log, session_id);
      expect([type, state.turn, faults(state.messages)]).toEqual([type, null, []]);
    }
  });
});

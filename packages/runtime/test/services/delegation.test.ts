import { describe, expect, it } from "vitest";
import type { Rule } from "../../src/models/script.ts";
import type { Model } from "../../src/ports/model.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { ADA, look, tool, writer } from "../golden/scene.ts";
import { delegate } from "../../src/tools/delegate.ts";
import { everything } from "../support/world.ts";
import { delegated, delegating, says } from "./delegation-support.ts";

describe("delegated work", () => {
  it("is done in a session of its own, and comes back as the outcome of the call", async () => {
    const { w, root, say, ended, of, subagents, child, events } = await delegating({
      script: [delegated({ task: "Count the stars." }), says("stars", "Nine.")],
      settings: { instructions: "Be brief.", permission_mode: "accept_edits" },
    });
    await say("begin");
    await ended();
    expect(w.reported).toEqual([]);
    expect(await of("runtime.request.completed")).toMatchObject([{ output: "All in: Nine." }]);
    expect(await of("agent.tool.outcome")).toMatchObject([
      { tool_name: "delegate", status: "ok", result: { agent_id: "subagent_1", output: "Nine." } },
    ]);
    expect(await subagents()).toMatchObject([
      { agent_id: "subagent_1", status: "completed", task: "Count the stars.", summary: "Nine.", depth: 1 },
    ]);
    const session = await child("subagent_1");
    expect(await of("runtime.request.completed", session)).toMatchObject([{ output: "Nine." }]);
    expect((await events(session))[0]?.data).toMatchObject({
      kind: "subagent",
      depth: 1,
      parent_session_id: root,
      root_session_id: root,
      permission_mode: "accept_edits",
      instructions: "Be brief.",
    });
    expect(await w.services.sessions.get(ADA, session)).toMatchObject({ parent_session_id: root });
  });

  it("holds nothing while it is waited for: the turn is parked, and says for what", async () => {
    const { of, say, until, subagents, w, root } = await delegating({
      script: [delegated({ task: "Hang on." }), { when: "hang", do: [{ hang: true }] }],
    });
    await say("begin");
    await until(async () => (await of("runtime.turn.ended")).length === 1);
    const [{ session_id = "" } = {}] = await subagents();
    expect(await of("runtime.turn.ended")).toMatchObject([
      { status: "parked", waits: [{ kind: "session", session_id }], reason: "Waits for its sub-agents." },
    ]);
    expect(await w.log.row("wake", root)).toMatchObject({ turn: "parked" });
    expect(await w.log.acquireLease(root, "att_test", 1_000)).toBeDefined();
    expect(await w.services.sessions.get(ADA, root)).toMatchObject({ status: "running" });
  });

  it("runs side by side, and one that fails says so to the model beside the others", async () => {
    const { w, say, ended, of, subagents } = await delegating({
      script: [
        {
          when: "begin",
          rounds: [
            [
              { call: "delegate", with: { task: "Find one." } },
              { call: "delegate", with: { task: "Find two." } },
              { call: "delegate", with: { task: "Find three." } },
            ],
            [{ when_failed: true, do: [{ say: "One failed." }] }, { do: [{ say: "All well." }] }],
          ],
        },
        says("one", "1"),
        { when: "two", do: [{ fail: "out of order", status: 400 }] },
        says("three", "3"),
      ],
    });
    await say("begin");
    await ended();
    expect(w.reported).toEqual([]);
    expect(await of("agent.tool.batch")).toMatchObject([{ parallel: true, wave: 1 }]);
    const outcomes = await of("agent.tool.outcome");
    expect(outcomes.map(({ status }) => status)).toEqual(["ok", "error", "ok"]);
    expect(outcomes[1]?.error).toContain("The sub-agent failed: ");
    expect(outcomes[1]?.error).toContain("out of order");
    expect(await of("runtime.request.completed")).toMatchObject([{ output: "One failed." }]);
    expect((await subagents()).map(({ agent_id, status }) => `${agent_id} ${status}`).toSorted()).toEqual([
      "subagent_1 completed",
      "subagent_2 failed",
      "subagent_3 completed",
    ]);
    // All were started before one was over.
    const said = (await of("runtime.subagent.event")).map(({ status }) => status);
    expect(said.slice(0, 3)).toEqual(["started", "started", "started"]);
  });

  it("is started so many at a time, and the rest after these", async () => {
    const tasks = [{ task: "Find 1." }, { task: "Find 2." }, { task: "Find 3." }] as const;
    const { say, ended, of } = await delegating({
      script: [delegated(...tasks), says("find", "Found.")],
      limits: { children: 2 },
    });
    await say("begin");
    await ended();
    expect((await of("agent.tool.batch")).map(({ tool_call_ids }) => tool_call_ids.length)).toEqual([2, 1]);
    expect((await of("agent.tool.outcome")).map(({ status }) => status)).toEqual(["ok", "ok", "ok"]);
  });

  it("runs beside reads of the same step, and a write waits for it", async () => {
    const step: Rule = {
      when: "begin",
      rounds: [
        [
          { call: "look", with: { what: "sky" } },
          { call: "delegate", with: { task: "Count." } },
          { call: "change", with: { what: "flag" } },
        ],
        [{ say: "Done." }],
      ],
    };
    const { say, ended, of } = await delegating({
      script: [step, says("count", "Nine.")],
      settings: { permission_mode: "full_access" },
    });
    await say("begin");
    await ended();
    expect((await of("agent.tool.outcome")).map(({ tool_name }) => tool_name)).toEqual([
      "look",
      "delegate",
      "change",
    ]);
    expect((await of("agent.tool.batch")).map(({ tool_call_ids }) => tool_call_ids.length)).toEqual([2, 1]);
  });

  it("can be delegated further, as deep as it may and no deeper", async () => {
    const { w, say, ended, of, subagents, child } = await delegating({
      script: [
        delegated({ task: "Deep one." }),
        delegated({ task: "Deep two." }, "one"),
        {
          when: "two",
          rounds: [
            [{ call: "delegate", with: { task: "Deep three." } }],
            [{ when_failed: true, do: [{ say: "Done by myself." }] }],
          ],
        },
      ],
    });
    await say("begin");
    await ended();
    expect(w.reported).toEqual([]);
    expect(await of("runtime.request.completed")).toMatchObject([
      { output: "All in: All in: Done by myself." },
    ]);
    // The session at the top knows of all of them.
    expect(await subagents()).toMatchObject([
      { agent_id: "subagent_1", depth: 1, status: "completed" },
      { agent_id: "subagent_1.1", depth: 2, status: "completed" },
    ]);
    const deepest = await child("subagent_1.1");
    const [outcome] = await of("agent.tool.outcome", deepest);
    expect(outcome).toMatchObject({ status: "error" });
    expect(outcome?.error).toContain("2 is the most");
    expect(await of("runtime.subagent.event", deepest)).toEqual([]);
  });

  it("is never wider than who delegates: modes and tools are narrowed, never widened", async () => {
    const wide = { task: "Change it.", permission_mode: "full_access", tools: ["change"] };
    const { say, ended, of, child, events } = await delegating({
      script: [
        delegated(wide),
        {
          when: "change",
          rounds: [
            [
              { call: "change", with: { what: "flag" } },
              { call: "look", with: { what: "sky" } },
            ],
            [{ say: "{{result:change}} / {{result:look}}" }],
          ],
        },
      ],
      settings: { permission_mode: "plan" },
    });
    await say("begin");
    await ended();
    const session = await child("subagent_1");
    expect((await events(session))[0]?.data).toMatchObject({ permission_mode: "plan" });
    expect(await of("agent.tool.outcome", session)).toMatchObject([
      { tool_name: "change", status: "denied" },
    ]);
    expect(await of("agent.tool.invalid", session)).toMatchObject([
      { tool_name: "look", kind: "unknown_tool" },
    ]);
    expect(await of("runtime.request.tools", session)).toMatchObject([{ tools: ["change"] }]);
  });

  it("does not come with what people allowed the session above", async () => {
    const step: Rule = {
      when: "begin",
      rounds: [
        [{ call: "change", with: { what: "a" } }],
        [{ call: "delegate", with: { task: "Change b." } }],
        [{ say: "Done." }],
      ],
    };
    const child: Rule = {
      when: "change b",
      rounds: [[{ call: "change", with: { what: "a" } }], [{ say: "Changed." }]],
    };
    const { w, say, until, pending } = await delegating({ script: [step, child] });
    await say("begin");
    await until(async () => (await pending()).length === 1);
    const [first] = await pending();
    await w.services.questions.decide(ADA, first?.request_id ?? "", {
      decision: "approved",
      scope: { kind: "session", pattern: "change: *" },
    });
    await until(async () => (await pending()).length === 1);
    expect((await pending())[0]).toMatchObject({ agent_id: "subagent_1", tool_name: "change" });
  });
});

describe("what comes back", () => {
  const back = async (text: string) => {
    const heard: string[] = [];
    const inner = scriptedModel({ script: { rules: [delegated({ task: "Speak." }), says("speak", text)] } });
    const spying: Model = {
      ...inner,
      stream(request, signal) {
        heard.push(...request.messages.flatMap(({ role, text: said }) => (role === "tool" ? [said] : [])));
        return inner.stream(request, signal);
      },
    };
    const play = await delegating({ models: [spying] });
    await play.say("begin");
    await play.ended();
    expect(play.w.reported).toEqual([]);
    return { ...play, heard };
  };

  it("is kept whole where it is long, and told by its beginning and its end", async () => {
    const { of, heard, subagents } = await back(`Begin ${"word ".repeat(20_000)}end.`);
    expect(await of("agent.tool.outcome")).toMatchObject([{ status: "artifact" }]);
    expect(await of("runtime.artifact.created")).toHaveLength(1);
    expect(heard[0]?.length).toBeLessThan(20_000);
    expect(heard[0]).toContain("Begin word");
    expect((await subagents())[0]?.summary?.length).toBeLessThanOrEqual(400);
  });

  it("reaches the model as it was said, and the log without its secrets", async () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const { w, root, child, heard } = await back(`The token is ${secret}.`);
    expect(heard[0]).toContain(secret);
    for (const session of [root, await child("subagent_1")])
      expect(JSON.stringify(await everything(w.log, session))).not.toContain(secret);
  });
});

describe("what cannot be delegated", () => {
  it.each([
    ["no such model", { task: "Go.", model: "nobody" }, 'There is no model "nobody"'],
    ["a tool that is not there", { task: "Go.", tools: ["look", "rm"] }, "You have no tool rm to give"],
  ])("is said to the model, and nothing is started: %s", async (_, order, error) => {
    const { say, ended, of, subagents, w } = await delegating({ script: [delegated(order)] });
    await say("begin");
    await ended();
    expect((await of("agent.tool.outcome"))[0]).toMatchObject({ status: "error" });
    expect((await of("agent.tool.outcome"))[0]?.error).toContain(error);
    expect(await subagents()).toEqual([]);
    expect((await w.services.sessions.list(ADA, {})).rows).toHaveLength(1);
  });

  it.each([
    ["no task", {}],
    ["an empty task", { task: " " }],
    ["a budget of nothing", { task: "Go.", max_tokens: 0 }],
    ["a mode that is none", { task: "Go.", permission_mode: "root" }],
    ["something more", { task: "Go.", depth: 0 }],
  ])("does not pass the guard: %s", async (_, order) => {
    const { say, ended, of, subagents } = await delegating({ script: [delegated(order)] });
    await say("begin");
    await ended();
    expect(await of("agent.tool.invalid")).toMatchObject([{ tool_name: "delegate" }]);
    expect(await of("agent.tool.start")).toEqual([]);
    expect(await subagents()).toEqual([]);
  });

  it("is refused where nothing may be delegated at all", async () => {
    const { say, ended, of } = await delegating({
      script: [delegated({ task: "Go." })],
      limits: { depth: 0 },
    });
    await say("begin");
    await ended();
    expect(await of("agent.tool.outcome")).toMatchObject([
      { status: "error", error: "Nothing can be delegated here: do it yourself." },
    ]);
  });

  it("is refused by a rule, as every call is", async () => {
    const rules = [
      "rules:",
      "  - id: alone",
      "    on: [pre_action]",
      '    when: event.payload.tool_name == "delegate"',
      "    decide: block",
      "    reason: Work alone.",
      "",
    ].join("\n");
    const { say, ended, of, subagents } = await delegating({
      script: [delegated({ task: "Go." })],
      rules,
    });
    await say("begin");
    await ended();
    expect(await of("agent.tool.outcome")).toMatchObject([{ status: "denied" }]);
    expect(await subagents()).toEqual([]);
  });
});

describe("what delegated work uses", () => {
  const priced = (rules: readonly Rule[]) => [
    { ...scriptedModel({ script: { rules: [...rules] } }), price: { input: 1_000_000, output: 1_000_000 } },
  ];
  const used = (input: number, output: number) => ({
    usage: { input_tokens: input, output_tokens: output },
  });

  it("counts for who delegated it when it ends, and is marked as what it is", async () => {
    const { say, ended, of, subagents } = await delegating({
      models: priced([
        {
          when: "begin",
          rounds: [
            [used(1, 1), { call: "delegate", with: { task: "Go." } }],
            [used(1, 0), { say: "Ok." }],
          ],
        },
        { when: "go", do: [used(10, 5), { say: "Gone." }] },
      ]),
    });
    await say("begin");
    await ended();
    const usage = await of("agent.usage");
    expect(usage.map(({ subagent, total_tokens }) => [subagent, total_tokens])).toEqual([
      [undefined, 2],
      ["subagent_1", 15],
      [undefined, 1],
    ]);
    expect(usage[1]).toMatchObject({ input_tokens: 10, output_tokens: 5, cost_usd: 15 });
    expect(await of("runtime.cognition.summary")).toMatchObject([
      { details: { spent: { tokens: 18, cost_usd: 18 } } },
    ]);
    expect(await subagents()).toMatchObject([{ tokens: 15, cost_usd: 15 }]);
  });

  const greedy: Rule = {
    when: "work",
    rounds: [1, 2, 3].map(() => [used(40, 0), { call: "look", with: { what: "more" } }]),
  };

  it.each([
    ["tokens", { max_tokens: 100 }, "budget"],
    ["dollars", { max_cost_usd: 70 }, "budget"],
    ["steps", { max_steps: 1 }, "step_limit"],
  ])("ends it when all of it is used: %s", async (_, budget, code) => {
    const { say, ended, of, child } = await delegating({
      models: priced([delegated({ task: "Work.", ...budget }), greedy]),
    });
    await say("begin");
    await ended();
    expect(await of("runtime.request.failed", await child("subagent_1"))).toMatchObject([{ code }]);
    const [outcome] = await of("agent.tool.outcome");
    expect(outcome?.status).toBe("error");
    expect(outcome?.error).toContain(`(${code})`);
  });

  it.each([
    ["more than it has", { max_steps: 9 }, 3],
    ["nothing of it", {}, 3],
    ["less", { max_steps: 2 }, 2],
  ])(
    "in steps is never more than that of the sub-agent above, which asks for %s",
    async (_, asked, steps) => {
      const { say, ended, child, events } = await delegating({
        models: priced([
          delegated({ task: "Middle.", max_steps: 3 }),
          delegated("middle", { task: "Deep.", ...asked }),
          { do: [{ say: "Done." }] },
        ]),
      });
      await say("begin");
      await ended();
      const [first] = await events(await child("subagent_1.1"));
      expect(first?.data).toMatchObject({ delegation: { max_steps: steps } });
    },
  );

  it("is shared by those that run side by side, out of what is left above", async () => {
    const { w, say, ended, of, child, events } = await delegating({
      models: priced([
        delegated({ task: "Middle.", max_tokens: 100_000 }),
        {
          when: "middle",
          rounds: [
            [
              used(9_000, 1_000),
              { call: "delegate", with: { task: "A little.", max_tokens: 10_000 } },
              { call: "delegate", with: { task: "Much.", max_tokens: 1_000_000 } },
              { call: "delegate", with: { task: "Any." } },
            ],
            [used(1, 0), { say: "Fine." }],
          ],
        },
        { do: [used(1, 1), { say: "Done." }] },
      ]),
    });
    await say("begin");
    await ended();
    expect(w.reported).toEqual([]);
    const given = async (agent_id: string) =>
      (await events(await child(agent_id)))[0]?.data as { delegation: { max_tokens: number } };
    // 90,000 are left: one takes its 10,000, and two share the rest.
    expect((await given("subagent_1.1")).delegation.max_tokens).toBe(10_000);
    expect((await given("subagent_1.2")).delegation.max_tokens).toBe(40_000);
    expect((await given("subagent_1.3")).delegation.max_tokens).toBe(40_000);
    const [outcome] = await of("agent.tool.outcome");
    expect(outcome?.result).toMatchObject({ tokens: 10_007, output: "Fine." });
  });

  it("is not started where nothing is left", async () => {
    const { say, ended, of, child, subagents } = await delegating({
      models: priced([
        delegated({ task: "Middle.", max_tokens: 5_000 }),
        {
          when: "middle",
          rounds: [[used(5_000, 0), { call: "delegate", with: { task: "More." } }], [{ say: "Never." }]],
        },
      ]),
    });
    await say("begin");
    await ended();
    const [outcome] = await of("agent.tool.outcome", await child("subagent_1"));
    expect(outcome?.error).toContain("nothing is left of the budget");
    expect(await subagents()).toHaveLength(1);
    expect(await of("agent.tool.outcome")).toMatchObject([{ status: "error" }]);
  });
});

describe("a direct call", () => {
  it("delegates nothing: that takes a turn", async () => {
    const w = await delegating({
      tools: [delegate(), look, writer, tool("other", async () => ({ result: 1 }))],
    });
    const reply = await w.w.services.tools.call(ADA, w.root, "delegate", { task: "Go." });
    expect(reply).toMatchObject({
      status: "error",
      error: expect.stringContaining("Only an agent delegates"),
    });
    expect(await w.subagents()).toEqual([]);
  });
});

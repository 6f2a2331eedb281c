import { describe, expect, test } from "vitest";
import { openMemoryStore } from "../../src/stores/memory/open.ts";
import { handTime, world } from "../support/world.ts";
import { calling, ending, kept, outcomes, ran, told } from "./support.ts";

const rule = (decide: string, more = "") =>
  `rules: [{ id: one, on: [pre_action], decide: ${decide}, reason: Because., ${more} }]`;

describe("pre_action", () => {
  test("allow: it runs, and the decision stands before it", async () => {
    const look = kept("look");
    const turn = await ran({ models: [calling("look", { what: "a" })], tools: [look], rules: rule("allow") });
    expect(look.runs).toEqual([{ what: "a" }]);
    const [decision, ...rest] = await turn.decisions("pre_action");
    expect(rest).toEqual([]);
    expect(decision).toMatchObject({ outcome: "allow", source: "rule:one", tool_name: "look" });
    expect(decision?.tool_call_id).toBe((await turn.data("agent.tool.start"))[0]?.tool_call_id);
    const types = (await turn.events()).map(({ type }) => type);
    expect(types.lastIndexOf("runtime.policy.decision")).toBeGreaterThan(0);
    expect(types.indexOf("agent.tool.start")).toBeGreaterThan(types.indexOf("agent.output.completed"));
    expect(await ending(turn)).toMatchObject({ status: "completed" });
  });

  test("block: it does not run, the model is told why and goes on", async () => {
    const [look, model] = [kept("look"), calling("look")];
    const turn = await ran({ models: [model], tools: [look], rules: rule("block") });
    expect(look.runs).toEqual([]);
    expect(await outcomes(turn)).toEqual([["look", "denied", "Because."]]);
    expect(told(model)).toContain("Because.");
    expect(await turn.decisions("pre_action")).toMatchObject([{ outcome: "block", rule_id: "one" }]);
    expect(await ending(turn)).toMatchObject({ status: "completed" });
  });

  test("modify: other arguments run, as the log says", async () => {
    const look = kept("look");
    const turn = await ran({
      models: [calling("look", { what: "a" })],
      tools: [look],
      rules: rule("modify", "patch: { arguments: { what: b, times: 2 } }"),
    });
    expect(look.runs).toEqual([{ what: "b", times: 2 }]);
    expect((await turn.data("agent.tool.start"))[0]).toMatchObject({
      name: "look",
      arguments: { what: "b", times: 2 },
    });
    expect(await turn.decisions("pre_action")).toMatchObject([{ outcome: "modify", source: "rule:one" }]);
  });

  test("modify: another tool runs in its place, by its own standing", async () => {
    const [look, peek] = [kept("look"), kept("peek")];
    const tools = [look, peek, kept("write", { access: "write", effect: "once", parallel: false })];
    const turn = await ran({
      models: [calling("look")],
      tools,
      rules: rule("modify", "patch: { tool_name: peek }"),
    });
    expect([look.runs, peek.runs]).toEqual([[], [{}]]);
    expect(await outcomes(turn)).toEqual([["peek", "ok"]]);
    const written = await ran({
      models: [calling("look")],
      tools,
      rules: rule("modify", "patch: { tool_name: write }"),
    });
    expect(await written.question()).toMatchObject({ tool_name: "write", origin: "mode" });
  });

  test.each([
    ["arguments that the tool does not take", "{ arguments: { times: often } }"],
    ["a tool that is not there", "{ tool_name: nothing_like_it }"],
    ["a name that would have to be guessed", "{ tool_name: lokk }"],
    ["a number as text", '{ arguments: { times: "2" } }'],
  ])("modify: %s is denied, and not repaired", async (_, patch) => {
    const look = kept("look");
    const turn = await ran({
      models: [calling("look")],
      tools: [look],
      rules: rule("modify", `patch: ${patch}`),
    });
    expect(look.runs).toEqual([]);
    const [outcome] = await outcomes(turn);
    expect(outcome).toEqual([
      "look",
      "denied",
      expect.stringMatching(/^A supervisor changed this call to one that does not fit: ./),
    ]);
  });

  test("defer: parked with a durable timer, and judged again when its time has come", async () => {
    const look = kept("look");
    const turn = await ran({
      models: [calling("look")],
      tools: [look],
      rules: rule("defer", `retry_after_ms: 60000, when: 'history.decision("defer") < 2'`),
    });
    for (const round of [1, 2]) {
      expect(await ending(turn)).toMatchObject({ status: "parked", reason: "Because." });
      expect([look.runs.length, turn.w.time.waiting()]).toEqual([0, 0]);
      expect(await turn.data("runtime.turn.resumed")).toHaveLength(round - 1);
      await turn.later(60_000);
    }
    expect(look.runs).toEqual([{}]);
    const outcomesOf = (await turn.decisions("pre_action")).map(({ outcome }) => outcome);
    expect(outcomesOf).toEqual(["defer", "defer", "allow"]);
    expect(await ending(turn)).toMatchObject({ status: "completed" });
  });

  test("defer: goes on in another process, which judges it by the rules it has", async () => {
    const time = handTime();
    const store = openMemoryStore({ clock: time.clock });
    const look = kept("look");
    const common = { store, time, models: [calling("look")], tools: [look] };
    const turn = await ran({ ...common, rules: rule("defer", "retry_after_ms: 60000") });
    const until = new Date(time.clock.now() + 60_000).toISOString();
    expect(await ending(turn)).toMatchObject({
      status: "parked",
      waits: [{ kind: "timer", until, reason: "Because." }],
    });
    expect(await turn.decisions("pre_action")).toMatchObject([{ outcome: "defer" }]);
    const other = world({ ...common, mark: "b", rules: rule("allow") });
    await turn.later(59_000, other);
    expect(look.runs).toEqual([]);
    await turn.later(1_000, other);
    expect(look.runs).toEqual([{}]);
    expect(await turn.data("runtime.turn.resumed")).toMatchObject([{ attempt: 2 }]);
    const running = (await turn.data("runtime.session.state")).filter(({ status }) => status === "running");
    expect(running.at(-1)).toMatchObject({ process_id: "hostb:1" });
    expect(await turn.decisions("pre_action")).toMatchObject([{ outcome: "defer" }, { outcome: "allow" }]);
    expect(await ending(turn)).toMatchObject({ status: "completed" });
  });

  describe("escalate", () => {
    const asking = (more: object = {}) => ({
      models: [calling("look", { what: "a" })],
      tools: [kept("look")],
      rules: rule("escalate", "escalation_target: ops"),
      ...more,
    });

    test("a person is asked, and the turn is parked for them", async () => {
      const turn = await ran(asking());
      const { request_id, ...question } = await turn.question();
      expect(question).toMatchObject({
        kind: "approval",
        tool_name: "look",
        reason: "Because. (for ops)",
        origin: "rule:one",
        shown: { tool: "look", arguments: { what: "a" } },
      });
      expect(await ending(turn)).toMatchObject({
        status: "parked",
        waits: [{ kind: "question", request_id }],
      });
      expect(await turn.decisions("pre_action")).toMatchObject([{ outcome: "escalate" }]);
    });

    test("approved: it runs as it was shown", async () => {
      const look = kept("look");
      const turn = await ran(asking({ tools: [look] }));
      await turn.decide({ decision: "approved" });
      expect(look.runs).toEqual([{ what: "a" }]);
      expect(await ending(turn)).toMatchObject({ status: "completed" });
    });

    test("denied: the model is told what the person said", async () => {
      const [look, model] = [kept("look"), calling("look")];
      const turn = await ran(asking({ tools: [look], models: [model] }));
      await turn.decide({ decision: "denied", note: "Not today." });
      expect(look.runs).toEqual([]);
      expect(told(model)).toContain("ada denied this call: Not today.");
      expect(await ending(turn)).toMatchObject({ status: "completed" });
    });

    test("edited: what the person wrote runs, once it has passed guard and rules", async () => {
      const look = kept("look");
      const turn = await ran(asking({ tools: [look] }));
      await turn.decide({ decision: "edited", edited: { what: "b" } });
      expect(look.runs).toEqual([{ what: "b" }]);
      expect(await turn.decisions("pre_action")).toHaveLength(2);
    });

    test("edited to what does not fit: denied", async () => {
      const look = kept("look");
      const turn = await ran(asking({ tools: [look] }));
      await turn.decide({ decision: "edited", edited: { what: ["b"] } });
      expect(look.runs).toEqual([]);
      expect(await outcomes(turn)).toMatchObject([
        ["look", "denied", expect.stringContaining("no longer fits")],
      ]);
    });

    test.each(["always", "on_request", "on_escalation"] as const)("%s asks", async (approval_mode) => {
      expect((await (await ran(asking(), { approval_mode })).question()).origin).toBe("rule:one");
    });

    test("never denies, and nobody is asked", async () => {
      const look = kept("look");
      const turn = await ran(asking({ tools: [look] }), { approval_mode: "never" });
      expect(look.runs).toEqual([]);
      expect(await turn.data("runtime.question.asked")).toEqual([]);
      expect(await outcomes(turn)).toMatchObject([["look", "denied", expect.stringContaining("never")]]);
      expect(await ending(turn)).toMatchObject({ status: "completed" });
    });
  });
});

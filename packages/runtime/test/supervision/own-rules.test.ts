import { describe, expect, test } from "vitest";
import { effectOf } from "../../src/domain/loop-supervision/effect-of.ts";
import { ownControls } from "../../src/domain/supervision/guards.ts";
import { RULES } from "../harness/support.ts";
import { call, counted, dataOf, ended, own, started } from "./support.ts";

describe("rules alone", () => {
  test("leave one record of each question: the decision, by whom, about which call", async () => {
    const { judge, durable } = own({ rules: RULES });
    for (const [tool, outcome, by] of [
      ["ls", "allow", "rules"],
      ["rm", "block", "rule:no-rm"],
      ["push", "escalate", "rule:ask-push"],
      ["build", "defer", "rule:later-build"],
      ["install", "modify", "rule:dry-install"],
    ] as const) {
      const judgement = await judge("pre_action", call(tool));
      expect(judgement.decision?.decision, tool).toBe(outcome);
      expect(judgement.by, tool).toBe(by);
      expect(judgement.records).toHaveLength(1);
      expect(judgement.records[0]).toMatchObject({
        type: "runtime.policy.decision",
        agent_id: "fairlead",
        data: {
          subject: "pre_action",
          outcome,
          source: by === "rules" ? "default" : by,
          tool_name: tool,
          tool_call_id: `call_${tool}`,
          rule_set_hash: expect.any(String),
        },
      });
      expect(judgement.records[0]).not.toHaveProperty("cause");
    }
    expect(durable).toEqual([]);
  });

  test("change a call once, and what they made of it is what runs", async () => {
    const { judge } = own({
      rules: `rules:
  - { id: box, on: [pre_action], decide: modify, patch: { arguments: { command: { cel: '"box " + event.payload.arguments.command' } } } }`,
    });
    const judgement = await judge("pre_action", call("sh", { command: "ls" }));
    expect(judgement.payload).toMatchObject({ arguments: { command: "box ls" } });
    expect(effectOf("pre_action", judgement)).toEqual({
      kind: "run",
      call: { name: "sh", arguments: { command: "box ls" } },
    });
    expect(dataOf(judgement.records, "runtime.policy.decision")).toMatchObject([
      { outcome: "modify", source: "rule:box", rule_id: "box", details: { matched: [{ rule_id: "box" }] } },
    ]);
  });

  test("a person is asked about the call as rules have changed it", async () => {
    const { judge } = own({
      rules: `rules:
  - { id: dry, on: [pre_action], decide: modify, patch: { arguments: { dry: true } } }
  - { id: look, on: [pre_action], when: has(event.payload.arguments.dry), decide: escalate, reason: Look. }`,
    });
    const asked = call("sh", { command: "ls" });
    const judgement = await judge("pre_action", asked);
    expect(effectOf("pre_action", judgement, asked)).toEqual({
      kind: "ask",
      reason: "Look.",
      call: { name: "sh", arguments: { command: "ls", dry: true } },
    });
    const bare = { ...asked, arguments: { dry: true } };
    expect(effectOf("pre_action", await judge("pre_action", bare), bare)).toEqual({
      kind: "ask",
      reason: "Look.",
    });
    const odd = { decision: { decision: "escalate", reason: "Look." }, by: "x", payload: "no call" };
    expect(effectOf("pre_action", odd, asked).kind).toBe("deny");
    expect(effectOf("pre_prompt", { ...odd, payload: 3 }, asked).kind).toBe("stop");
    expect(effectOf("pre_prompt", { ...odd, payload: { prompt: "Less." } }, asked)).toMatchObject({
      kind: "ask",
      change: { prompt: "Less." },
    });
  });

  test("a changed prompt is kept, so that the conversation can go on with it", async () => {
    const { judge } = own({
      rules: "rules: [{ id: short, on: [pre_prompt], decide: modify, patch: { prompt: Less. } }]",
    });
    const judgement = await judge("pre_prompt", { prompt: "A lot.", messages: [] });
    expect(effectOf("pre_prompt", judgement)).toEqual({
      kind: "go",
      change: { prompt: "Less.", contents: [] },
    });
    expect(judgement.records).toMatchObject([
      { seal: true, data: { outcome: "modify", details: { modified_payload: { prompt: "Less." } } } },
    ]);
  });

  test("see depth, workspace and counts of the run", async () => {
    const { judge, run } = own({
      rules: `rules:
  - { id: deep, on: [pre_action], when: 'event.depth == 1 && action.workspace == "/srv/project"', decide: escalate, reason: Deep. }
  - { id: often, on: [pre_action], when: 'history.tool("shell") > 0', decide: block, reason: Often. }`,
    });
    const first = await judge("pre_action", call("shell"));
    expect(first.decision).toMatchObject({ decision: "escalate" });
    counted(run.tally, ...first.records);
    expect((await judge("pre_action", call("shell", {}, "again"))).decision).toMatchObject({
      reason: "Often.",
    });
  });

  test("guards stand beside them, and their word is the one that is kept", async () => {
    const { judge } = own({
      guards: [ownControls({ paths: ["/srv/project/policies"], real: (path) => path })],
    });
    const judgement = await judge("pre_action", call("write_file", { path: "/srv/project/policies/x.yaml" }));
    expect(judgement.by).toBe("builtin:own-controls");
    expect(judgement.records).toMatchObject([
      { data: { outcome: "escalate", source: "builtin:own-controls", rule_id: "builtin:own-controls" } },
    ]);
    expect(effectOf("pre_action", judgement)).toMatchObject({ kind: "ask" });
  });
});

describe("a budget", () => {
  test("counts calls that were let through and have not begun", async () => {
    const { judge, run } = own({ budget: { actions: 2 } });
    const answers = await Promise.all(["a", "b", "c"].map((id) => judge("pre_action", call("sh", {}, id))));
    expect(answers.map(({ decision }) => decision?.decision)).toEqual(["allow", "allow", "block"]);
    counted(run.tally, ...answers.flatMap(({ records }) => records), started("a"), started("b"));
    expect(run.tally).toMatchObject({ actions: 2, calls: {} });
    expect((await judge("pre_action", call("sh", {}, "d"))).by).toBe("builtin:budget-spent");
  });

  test("gets back what never ran", async () => {
    const { judge, run } = own({ budget: { actions: 1 } });
    counted(run.tally, ...(await judge("pre_action", call("sh", {}, "a"))).records, ended("a", "denied"));
    expect((await judge("pre_action", call("sh", {}, "b"))).decision).toEqual({ decision: "allow" });
  });

  test("of tokens and cost blocks prompts", async () => {
    const { judge, run } = own({ budget: { tokens: 100 } });
    counted(run.tally, {
      type: "agent.usage",
      data: { input_tokens: 60, output_tokens: 40, total_tokens: 100 },
    });
    expect((await judge("pre_prompt", { prompt: "x" })).decision).toMatchObject({ decision: "block" });
  });
});

describe("what is asked", () => {
  test("gates always; the rest where a rule looks at it or a switch says so", async () => {
    const bare = own();
    expect(bare.supervision.coverage().asked).toEqual(["pre_action", "pre_prompt"]);
    expect(await bare.judge("planning", { task_description: "x" })).toEqual({
      decision: undefined,
      by: "rules",
      payload: { task_description: "x" },
      records: [],
    });
    const hints = "rules: [{ id: house, on: [reasoning], decide: allow, hints: [Small steps.] }]";
    const ruled = own({ rules: hints });
    expect(ruled.supervision.asks("reasoning")).toBe(true);
    expect((await ruled.judge("reasoning", {})).decision).toEqual({
      decision: "allow",
      hints: ["Small steps."],
    });
    expect(own({ rules: hints, switches: { on: { reasoning: false } } }).supervision.asks("reasoning")).toBe(
      false,
    );
    const switched = own({ switches: { on: { planning: true } } });
    const judgement = await switched.judge("planning", { available_strategies: ["step_by_step"] });
    expect(judgement.decision).toEqual({ decision: "allow", selected_strategy: "step_by_step" });
  });

  test("an intent that nobody detects is no answer, and the loop goes on", async () => {
    const { judge } = own({ switches: { on: { intent_detection: true } } });
    const judgement = await judge("intent_detection", { prompt: "x" });
    expect(judgement.decision).toBeUndefined();
    expect(dataOf(judgement.records, "runtime.policy.decision")).toMatchObject([{ outcome: "unsupported" }]);
    expect(effectOf("intent_detection", judgement)).toEqual({ kind: "none" });
  });

  test("a gate that was switched off says so each time, and guards still stand", async () => {
    const { judge, supervision } = own({
      rules: RULES,
      switches: { unsupervised: ["pre_action"] },
      budget: { actions: 1 },
    });
    expect(supervision.asks("pre_action")).toBe(true);
    expect(supervision.coverage()).toMatchObject({ unsupervised: ["pre_action"] });
    const judgement = await judge("pre_action", call("rm"));
    expect(judgement).toMatchObject({
      decision: { decision: "allow" },
      by: "config:unsupervised",
      records: [
        {
          data: {
            outcome: "allow",
            source: "config:unsupervised",
            reason: expect.stringContaining("supervise.unsupervised"),
            tool_call_id: "call_rm",
          },
        },
      ],
    });
    expect((await judge("pre_action", call("rm", {}, "second"))).by).toBe("builtin:budget-spent");
    expect((await judge("pre_prompt", { prompt: "x" })).by).toBe("rules");
  });
});

describe("a person's yes", () => {
  test("stands while the rules do not block, and counts from then on", async () => {
    const { judge, run, supervision } = own({ rules: RULES, budget: { actions: 1 } });
    const { payload, records } = await judge("pre_action", call("push"));
    counted(run.tally, ...records);
    expect(supervision.recheck(run, "pre_action", payload)).toBeUndefined();
    expect((await judge("pre_action", call("ls"))).by).toBe("builtin:budget-spent");
    counted(run.tally, started("call_push"));
    expect(run.tally).toMatchObject({ actions: 1, decisions: { escalate: 1, allow: 1 } });
  });

  test("is undone by a rule that blocks by now", () => {
    const { run, supervision } = own({ rules: RULES });
    expect(supervision.recheck(run, "pre_action", call("rm"))).toBe("Nothing is deleted here.");
    expect(run.tally.calls).toEqual({});
  });

  test("covers what was shown, not what rules would make of it since", () => {
    const { run, supervision } = own({ rules: RULES });
    const asked = call("install", { name: "x" });
    expect(supervision.recheck(run, "pre_action", asked)).toContain("would change");
    const shown = { ...asked, arguments: { name: "x", dry_run: true } };
    expect(supervision.recheck(run, "pre_action", shown)).toBeUndefined();
  });

  test("is not undone by a rule that changes its own work once more", () => {
    const { run, supervision } = own({
      rules: `rules:
  - { id: box, on: [pre_action], decide: modify, patch: { arguments: { command: { cel: '"box " + event.payload.arguments.command' } } } }`,
    });
    const asked = call("sh", { command: "ls" });
    const shown = call("sh", { command: "box ls" });
    expect(supervision.recheck(run, "pre_action", shown)).toContain("would change");
    expect(supervision.recheck(run, "pre_action", shown, asked)).toBeUndefined();
    expect(supervision.recheck(run, "pre_action", call("sh", { command: "rm" }), asked)).toContain(
      "would change",
    );
  });
});

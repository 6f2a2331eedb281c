import { describe, expect, test } from "vitest";
import { calling, ending, heard, kept, ran, type Heard, told } from "./support.ts";

const saying = () => heard({ do: [{ say: "Done." }] });

async function under(rules: string, model: Heard = saying()) {
  const turn = await ran({ models: [model], tools: [kept("look")], rules: `rules:\n${rules}` });
  return { turn, model };
}

const blocks = (type: string) => `  - { id: no, on: [${type}], decide: block, reason: Not this. }`;

describe.each(["planning", "reasoning", "context_perception", "memory_recall", "intent_detection"])(
  "%s",
  (type) => {
    test("block: the turn ends, and the model hears nothing", async () => {
      const { turn, model } = await under(blocks(type));
      expect(model.asked).toEqual([]);
      expect(await turn.data("runtime.request.failed")).toMatchObject([
        { code: "blocked", error: "Not this." },
      ]);
      expect(await turn.decisions(type)).toMatchObject([{ outcome: "block", source: "rule:no" }]);
    });

    test("nobody is there for it: nobody is asked", async () => {
      const { turn } = await under("  - { id: other, on: [idle], decide: allow }");
      expect(await turn.decisions(type)).toEqual([]);
      expect(await ending(turn)).toMatchObject({ status: "completed" });
    });
  },
);

describe("what the model is told", () => {
  test("planning, allow: the strategy and its template, once a turn", async () => {
    const model = calling("look");
    const { turn } = await under(
      "  - { id: p, on: [planning], decide: allow, selected_strategy: step_by_step, planning_template: First think. }",
      model,
    );
    expect(model.asked).toHaveLength(2);
    expect(told(model)).toContain("a short list of steps");
    expect(told(model)).toContain("First think.");
    expect(await turn.decisions("planning")).toMatchObject([{ outcome: "allow" }]);
  });

  test("planning, modify: another task, with hints", async () => {
    const { turn, model } = await under(
      "  - { id: p, on: [planning], decide: modify, modified_task: Do less., hints: [Slowly.] }",
    );
    expect(told(model)).toContain("The task is now: Do less.");
    expect(told(model)).toContain("- Slowly.");
    expect(await turn.decisions("planning")).toMatchObject([{ outcome: "modify" }]);
  });

  test("reasoning, allow: hints before each step", async () => {
    // By count: what it is told after a call is the last thing it hears.
    const model = heard({ at_first: [[{ call: "look" }]], do: [{ say: "Done." }] });
    const { turn } = await under(
      "  - { id: r, on: [reasoning], decide: allow, hints: [Count twice.] }",
      model,
    );
    expect(told(model, 0).split("Count twice.")).toHaveLength(2);
    expect(told(model, 1).split("Count twice.")).toHaveLength(3);
    expect(await turn.decisions("reasoning")).toHaveLength(2);
  });

  test("memory_recall, allow: facts, marked as a supervisor's", async () => {
    const { turn, model } = await under(
      "  - { id: m, on: [memory_recall], decide: allow, injected_facts: [{ content: The sky is green., source: memory, confidence: 1 }] }",
    );
    expect(told(model)).toMatch(/<supervisor-memory by="rule:m">[^]*The sky is green\./);
    expect(await turn.data("runtime.context.injected")).toMatchObject([{ subject: "memory_recall" }]);
  });

  test("context_perception, allow: context", async () => {
    const { model } = await under(
      "  - { id: c, on: [context_perception], decide: allow, injected_context: { facts: [], knowledge: [Water is wet.] } }",
    );
    expect(told(model)).toContain("Water is wet.");
  });

  test("context_perception, refine: asked again with the refinement", async () => {
    const { turn, model } = await under(`
  - { id: r, on: [context_perception], when: "!has(event.payload.metadata)", decide: refine, scope_hints: [src] }
  - { id: c, on: [context_perception], when: has(event.payload.metadata), decide: allow, injected_context: { facts: [], knowledge: [Water is wet.] } }`);
    expect((await turn.decisions("context_perception")).map(({ outcome }) => outcome)).toEqual([
      "refine",
      "allow",
    ]);
    expect(told(model)).toContain("Water is wet.");
  });

  test("context_perception, refine without end: the turn goes on without", async () => {
    const { turn, model } = await under(
      "  - { id: r, on: [context_perception], decide: refine, scope_hints: [src] }",
    );
    expect(await turn.decisions("context_perception")).toHaveLength(4);
    expect(model.asked).toHaveLength(1);
    expect(await ending(turn)).toMatchObject({ status: "completed" });
  });

  test("intent_detection, allow: passed on to context_perception", async () => {
    const { turn, model } = await under(`
  - { id: i, on: [intent_detection], decide: allow, detected_intent: locate, confidence: 0.9, target_hints: { target_name: Fold } }
  - { id: c, on: [context_perception], when: 'event.payload.intent == "locate" && event.payload.target.entity.name == "Fold"', decide: allow, injected_context: { facts: [], knowledge: [Found it.] } }`);
    expect(await turn.decisions("intent_detection")).toMatchObject([{ outcome: "allow" }]);
    expect(told(model)).toContain("Found it.");
  });
});

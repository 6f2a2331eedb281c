import { describe, expect, test } from "vitest";
import { openMemoryStore } from "../../src/stores/memory/open.ts";
import { handTime, world } from "../support/world.ts";
import { ADA, calling, ending, heard, kept, ran, told } from "./support.ts";

const rule = (decide: string, more = "") =>
  `rules: [{ id: one, on: [pre_prompt], decide: ${decide}, reason: Because., ${more} }]`;
const saying = () => heard({ do: [{ say: "Done." }] });

describe("pre_prompt", () => {
  test("allow: the model is asked, once it is decided", async () => {
    const model = saying();
    const turn = await ran({ models: [model], rules: rule("allow") });
    expect(model.asked).toHaveLength(1);
    expect(await turn.decisions("pre_prompt")).toMatchObject([{ outcome: "allow", source: "rule:one" }]);
    expect(await ending(turn)).toMatchObject({ status: "completed" });
  });

  test("block: the turn ends, and the model hears nothing", async () => {
    const model = saying();
    const turn = await ran({ models: [model], rules: rule("block") });
    expect(model.asked).toEqual([]);
    expect(await turn.data("runtime.request.failed")).toMatchObject([{ code: "blocked", error: "Because." }]);
    expect(await turn.decisions("pre_prompt")).toMatchObject([{ outcome: "block" }]);
  });

  test("modify: the model hears the other text, then and in every later step", async () => {
    const model = calling("look");
    const turn = await ran({
      models: [model],
      tools: [kept("look")],
      rules: rule("modify", "when: event.payload.step == 1, patch: { prompt: Something else }"),
    });
    expect(model.asked).toHaveLength(2);
    for (const nth of [0, 1]) {
      expect(told(model, nth)).toContain("Something else");
      expect(told(model, nth)).not.toContain("Go on");
    }
    expect((await turn.decisions("pre_prompt"))[0]).toMatchObject({ outcome: "modify" });
  });

  test("modify to what is no prompt: the turn ends", async () => {
    const model = saying();
    const turn = await ran({ models: [model], rules: rule("modify", "patch: { prompt: 3 }") });
    expect(model.asked).toEqual([]);
    expect(await turn.data("runtime.request.failed")).toMatchObject([{ code: "blocked" }]);
  });

  test("defer: a durable timer, after which another process goes on", async () => {
    const time = handTime();
    const store = openMemoryStore({ clock: time.clock });
    const model = saying();
    const turn = await ran({ time, store, models: [model], rules: rule("defer", "retry_after_ms: 60000") });
    expect(await ending(turn)).toMatchObject({ status: "parked", waits: [{ kind: "timer" }] });
    const other = world({ time, store, models: [model], mark: "b" });
    await turn.later(59_999, other);
    expect(model.asked).toEqual([]);
    await turn.later(1, other);
    expect(model.asked).toHaveLength(1);
    expect(await ending(turn)).toMatchObject({ status: "completed" });
  });

  describe("escalate", () => {
    const RULES = rule("escalate", `when: '!event.payload.prompt.contains("gently")'`);

    test("approved: the model is asked what the person saw", async () => {
      const model = saying();
      const turn = await ran({ models: [model], rules: RULES });
      expect(model.asked).toEqual([]);
      expect(await turn.question()).toMatchObject({ tool_name: "model", shown: { prompt: "Go on" } });
      await turn.decide({ decision: "approved" });
      expect(model.asked).toHaveLength(1);
      expect(await ending(turn)).toMatchObject({ status: "completed" });
    });

    test("denied: the turn ends with what the person said", async () => {
      const model = saying();
      const turn = await ran({ models: [model], rules: RULES });
      await turn.decide({ decision: "denied", note: "No." });
      expect(model.asked).toEqual([]);
      expect(await turn.data("runtime.request.failed")).toMatchObject([
        { code: "blocked", error: "The model was not asked: ada denied it: No." },
      ]);
    });

    test("edited: judged again, and the model hears the edit", async () => {
      const model = saying();
      const turn = await ran({ models: [model], rules: RULES });
      await turn.decide({ decision: "edited", edited: "Go on gently" });
      expect((await turn.decisions("pre_prompt")).map(({ outcome }) => outcome)).toEqual([
        "escalate",
        "allow",
      ]);
      expect(told(model)).toContain("Go on gently");
      expect(await ending(turn)).toMatchObject({ status: "completed" });
    });

    test("edited to what is no text: the turn ends", async () => {
      const model = saying();
      const turn = await ran({ models: [model], rules: RULES });
      await turn.decide({ decision: "edited", edited: { prompt: "x" } });
      expect(model.asked).toEqual([]);
      expect(await turn.data("runtime.request.failed")).toMatchObject([{ code: "blocked" }]);
    });

    test("edited to what a rule blocks: the turn ends", async () => {
      const model = saying();
      const rules = `${RULES.slice(0, -1)}, { id: two, on: [pre_prompt], when: 'event.payload.prompt.contains("rm")', decide: block, reason: Never. }]`;
      const turn = await ran({ models: [model], rules });
      await turn.decide({ decision: "edited", edited: "rm it" });
      expect(model.asked).toEqual([]);
      expect(await turn.data("runtime.request.failed")).toMatchObject([{ error: "Never." }]);
    });

    test("a yes is for the prompt that was shown: what is said meanwhile asks again", async () => {
      const model = saying();
      const turn = await ran({ models: [model], rules: RULES });
      await turn.w.services.turns.steer(ADA, turn.session, { input: "And more" });
      await turn.decide({ decision: "approved" });
      expect(model.asked).toEqual([]);
      expect(await turn.question()).toMatchObject({ shown: { prompt: "And more" } });
      await turn.decide({ decision: "approved" });
      expect(told(model)).toContain("And more");
    });

    test("never: the turn ends, and nobody is asked", async () => {
      const model = saying();
      const turn = await ran({ models: [model], rules: RULES }, { approval_mode: "never" });
      expect([model.asked, await turn.data("runtime.question.asked")]).toEqual([[], []]);
      expect(await turn.data("runtime.request.failed")).toMatchObject([{ code: "blocked" }]);
    });
  });
});

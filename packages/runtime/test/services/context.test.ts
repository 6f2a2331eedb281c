import type { AnyEvent, SessionId } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import { is } from "../../src/domain/event.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { branch } from "../../src/ports/event-log.contract/support.ts";
import type { EventLog } from "../../src/ports/event-log.ts";
import { type Model, ModelFault, type ModelRequest } from "../../src/ports/model.ts";
import { DEFAULT_CONTEXT_TOKENS } from "../../src/domain/context/room.ts";
import { loadCarried } from "../../src/services/loop/load.ts";
import { tool } from "../golden/scene.ts";
import { ADMIN, everything, settle, type World, world } from "../support/world.ts";

/** Answers at length, and takes only so much. */
function smallModel(asked: ModelRequest[], contextTokens: number): Model {
  const model = scriptedModel({ script: { rules: [{ do: [{ say: "word ".repeat(120) }] }] } });
  return {
    provider: model.provider,
    id: model.id,
    contextTokens,
    stream(request, signal) {
      asked.push(request);
      return model.stream(request, signal);
    },
  };
}

/** Looks so often before it answers, however little it is told of that. */
function lookingModel(asked: ModelRequest[], contextTokens: number, times: number): Model {
  const looks = scriptedModel({ script: { rules: [{ do: [{ call: "look", with: { what: "it" } }] }] } });
  const answers = scriptedModel({ script: { rules: [{ do: [{ say: "Done." }] }] } });
  return {
    ...looks,
    contextTokens,
    stream(request, signal) {
      asked.push(request);
      return (asked.length <= times ? looks : answers).stream(request, signal);
    },
  };
}

async function turn({ services, time }: World, session: SessionId, input: string): Promise<void> {
  await services.turns.start(ADMIN, session, { input });
  while ((await services.sessions.get(ADMIN, session)).turn_id !== null) {
    await settle();
    await time.advance(100);
  }
}

describe("a conversation that outgrows its model", () => {
  it("is warned about, then folded, and told no longer than it may be", async () => {
    const asked: ModelRequest[] = [];
    const w = world({ models: [smallModel(asked, 1_500)] });
    const { session_id } = await w.services.sessions.create(ADMIN, {});
    for (let i = 0; i < 12; i++) await turn(w, session_id, `question ${i} ${"detail ".repeat(20)}`);
    const events = await everything(w.log, session_id);
    const warnings = events.filter((event) => is(event, "agent.context.warning"));
    const folded = events.filter((event) => is(event, "agent.context.compacted"));
    expect(warnings.length).toBeGreaterThan(0);
    expect(warnings[0]?.data).toMatchObject({ limit_tokens: 1_500, method: "estimate" });
    expect(folded.length).toBeGreaterThan(0);
    const [first] = folded;
    expect(first?.data).toMatchObject({ resume_cursor: expect.stringMatching(/^compact:ses_\w+:\d+$/) });
    expect(first?.data.compacted_count).toBe((first?.data.preserved_messages ?? 0) + 1);
    expect(first?.data.tokens_saved).toBeGreaterThan(0);
    expect(first?.data.summary).toContain("Asked: question 3");
    expect(first?.data.summary).toContain("… 3 earlier steps");
    for (const { messages } of asked) expect(JSON.stringify(messages).length).toBeLessThan(1_500 * 6);
    // The request itself is always there, whole.
    for (const [i, { messages }] of asked.entries())
      expect(JSON.stringify(messages)).toContain(`question ${i} detail`);
  });

  it("is whole again in a branch from before", async () => {
    const w = world({ models: [smallModel([], 1_500)] });
    const { session_id } = await w.services.sessions.create(ADMIN, {});
    for (let i = 0; i < 8; i++) await turn(w, session_id, `question ${i} ${"detail ".repeat(20)}`);
    const folded = (await everything(w.log, session_id)).find((event) =>
      is(event, "agent.context.compacted"),
    );
    const { resume_cursor: cursor } = (folded as AnyEvent).data as { resume_cursor: string };
    const child: SessionId = await branch(w.log, session_id, Number(cursor.split(":")[2]));
    const { state } = await loadCarried(w.log, child);
    expect(state.messages[0]?.text).toContain("question 0");
    expect(JSON.stringify(state.messages)).not.toContain("Summary of earlier work");
  });

  it("says where it was folded: a branch from there has the newest result, and what is gone is told apart", async () => {
    let looks = 0;
    const look = tool("look", async () => ({ result: `look <${(looks += 1)}> ${"well ".repeat(80)}` }));
    const w = world({ models: [lookingModel([], 800, 8)], tools: [look] });
    const { session_id } = await w.services.sessions.create(ADMIN, {});
    await turn(w, session_id, "look around");
    const events = await everything(w.log, session_id);
    const folded = events.filter((event) => is(event, "agent.context.compacted"));
    expect(folded.length).toBeGreaterThan(1);
    for (const { data, seq } of folded) {
      const before = await loadCarried(w.log, session_id, seq - 1);
      const { messages } = before.state;
      expect(data.resume_cursor).toBe(`compact:${session_id}:${seq - 1}`);
      // Whoever branches there goes on with all that was known, the newest result too.
      const child = await branch(w.log, session_id, seq - 1);
      const { state } = await loadCarried(w.log, child);
      expect(state.messages).toEqual(messages);
      const newest = events.findLast((event) => is(event, "agent.tool.result") && event.seq < seq);
      const { result } = (newest as AnyEvent).data as { result: string };
      expect(state.messages.at(-1)).toMatchObject({ role: "tool", text: result });
      // The last that was dropped came with this event, and the first that stays did not.
      const gone = data.dropped?.messages ?? 0;
      const upto = data.dropped?.upto_seq ?? 0;
      expect(gone).toBe(messages.length - data.preserved_messages);
      expect(upto).toBeLessThan(seq - 1);
      const type = { user: "runtime.request.started", tool: "agent.tool.outcome" }[
        messages[gone - 1]?.role as "user" | "tool"
      ];
      expect(events.find((event) => event.seq === upto)?.type).toBe(type);
      expect(JSON.stringify((await loadCarried(w.log, session_id, upto)).state.messages.at(-1))).toBe(
        JSON.stringify(messages[gone - 1]),
      );
    }
  });

  it("costs one more commit where it is folded, and none where it is not", async () => {
    let commits = 0;
    const wrap = (log: EventLog): EventLog => ({
      ...log,
      append: (append) => ((commits += 1), log.append(append)),
    });
    const w = world({ models: [smallModel([], 1_500)], wrap });
    const { session_id } = await w.services.sessions.create(ADMIN, {});
    const costs: { readonly commits: number; readonly folds: number }[] = [];
    for (let i = 0, seen = 0; i < 8; i++) {
      commits = 0;
      await turn(w, session_id, `question ${i} ${"detail ".repeat(20)}`);
      const events = await everything(w.log, session_id);
      costs.push({
        commits,
        folds: events.slice(seen).filter((event) => is(event, "agent.context.compacted")).length,
      });
      seen = events.length;
    }
    const plain = costs[0]?.commits ?? 0;
    expect(new Set(costs.map(({ folds }) => folds))).toEqual(new Set([0, 1]));
    for (const { commits: made, folds } of costs) expect(made).toBe(plain + folds);
  });

  it("is folded when it has too many messages, and says so", async () => {
    const asked: ModelRequest[] = [];
    const w = world({ models: [smallModel(asked, 100_000)], limits: { historyMessages: 10 } });
    const { session_id } = await w.services.sessions.create(ADMIN, {});
    for (let i = 0; i < 12; i++) await turn(w, session_id, `question <${i}>`);
    const events = await everything(w.log, session_id);
    const folded = events.filter((event) => is(event, "agent.context.compacted"));
    expect(folded.length).toBeGreaterThan(1);
    for (const [i, { messages }] of asked.entries()) {
      expect(messages.length).toBeLessThanOrEqual(11);
      // Every question is there, asked or summed up.
      const text = JSON.stringify(messages);
      for (let n = 0; n <= i; n++) expect(text).toContain(`question <${n}>`);
    }
  });

  it("is folded for a model of which nobody said what it takes", async () => {
    const asked: ModelRequest[] = [];
    const { contextTokens: _, ...unknown } = smallModel(asked, 0);
    const w = world({ models: [unknown] });
    const { session_id } = await w.services.sessions.create(ADMIN, {});
    for (let i = 0; i < 5; i++) await turn(w, session_id, `question ${i} ${"detail ".repeat(8_000)}`);
    const events = await everything(w.log, session_id);
    expect(events.find((event) => is(event, "agent.context.warning"))?.data).toMatchObject({
      limit_tokens: DEFAULT_CONTEXT_TOKENS,
    });
    expect(events.some((event) => is(event, "agent.context.compacted"))).toBe(true);
  });

  it("does not bring back a request that a supervisor changed", async () => {
    const asked: ModelRequest[] = [];
    const look = tool("look", async () => ({ result: "well ".repeat(80) }));
    const change = "when: event.payload.step == 1, patch: { prompt: Look around }";
    const rules = `rules: [{ id: one, on: [pre_prompt], decide: modify, reason: Because., ${change} }]`;
    const w = world({ models: [lookingModel(asked, 800, 4)], tools: [look], rules });
    const { session_id } = await w.services.sessions.create(ADMIN, {});
    await turn(w, session_id, "the forbidden words");
    const events = await everything(w.log, session_id);
    expect(events.some((event) => is(event, "agent.context.compacted"))).toBe(true);
    expect(asked).toHaveLength(5);
    for (const { messages } of asked) {
      expect(JSON.stringify(messages)).not.toContain("forbidden");
      expect(JSON.stringify(messages)).toContain("Look around");
    }
  });

  it("is folded and told again when the model finds it too long, and fails only when nothing is left to fold", async () => {
    const asked: ModelRequest[] = [];
    let takes = 3_000;
    const inner = smallModel([], 100_000);
    const model: Model = {
      ...inner,
      async *stream(request, signal) {
        asked.push(request);
        if (JSON.stringify(request.messages).length > takes)
          throw new ModelFault("too_long", "prompt is too long");
        yield* inner.stream(request, signal);
      },
    };
    const w = world({ models: [model] });
    const { session_id } = await w.services.sessions.create(ADMIN, {});
    for (let i = 0; i < 6; i++) await turn(w, session_id, `question ${i}`);
    const events = await everything(w.log, session_id);
    expect(events.some((event) => is(event, "agent.context.compacted"))).toBe(true);
    expect(asked.length).toBeGreaterThan(6);
    expect(events.filter((event) => is(event, "runtime.request.completed"))).toHaveLength(6);

    takes = 10;
    await turn(w, session_id, "one more");
    const after = await everything(w.log, session_id);
    expect(
      after.filter((event) => is(event, "runtime.request.failed")).map(({ data }) => data),
    ).toMatchObject([{ code: "model_refused", error: "prompt is too long" }]);
  });
});

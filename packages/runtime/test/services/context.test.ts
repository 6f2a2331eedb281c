import type { AnyEvent, SessionId } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import { is } from "../../src/domain/event.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { branch } from "../../src/ports/event-log.contract/support.ts";
import type { Model, ModelRequest } from "../../src/ports/model.ts";
import { loadCarried } from "../../src/services/loop/load.ts";
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
    expect(first?.data.summary).toContain("Asked: question 0");
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
});

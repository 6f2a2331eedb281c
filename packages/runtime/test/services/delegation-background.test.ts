import type { SessionId } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import type { Rule } from "../../src/models/script.ts";
import { ADA } from "../golden/scene.ts";
import { type Delegating, delegated, delegating } from "./delegation-support.ts";

const asks: Rule = {
  when: "ask",
  rounds: [[{ call: "change", with: { what: "flag" } }], [{ say: "Changed." }]],
};

/** Background work whose sub-agent waits for a person. */
async function working(): Promise<Delegating & { readonly id: SessionId; readonly child_id: SessionId }> {
  const play = await delegating({ script: [delegated({ task: "ask" }), asks] });
  const { session_id: id } = await play.w.services.kernel.start(ADA, { task: "begin" });
  await play.until(async () => (await play.pending(id)).length === 1);
  const [{ session_id } = {}] = await play.subagents(id);
  return { ...play, id, child_id: session_id as SessionId };
}

describe("background work that delegates", () => {
  const statusOf = async ({ w }: Delegating, id: SessionId) =>
    (await w.services.sessions.get(ADA, id)).status;

  it("is at work while its sub-agent is, and done when that is", async () => {
    const play = await working();
    const { w, id, until, pending, of } = play;
    expect(await statusOf(play, id)).toBe("running");
    await w.services.questions.decide(ADA, (await pending(id))[0]?.request_id ?? "", {
      decision: "approved",
    });
    await until(async () => (await statusOf(play, id)) === "completed");
    expect(await of("runtime.request.completed", id)).toMatchObject([{ output: "All in: Changed." }]);
    expect(w.reported).toEqual([]);
  });

  it("ends with its sub-agent when it is cancelled", async () => {
    const play = await working();
    const { w, id, child_id, of, pending, subagents } = play;
    await w.services.kernel.cancel(ADA, id, "enough");
    expect(await statusOf(play, id)).toBe("cancelled");
    expect((await of("runtime.turn.ended", child_id)).at(-1)?.status).toBe("cancelled");
    expect(await subagents(id)).toMatchObject([{ status: "cancelled" }]);
    expect(await pending(id)).toEqual([]);
    expect(w.reported).toEqual([]);
  });

  it("that is paused goes on only when it is told to, though its sub-agent is done", async () => {
    const play = await working();
    const { w, id, child_id, until, pending, of } = play;
    await w.services.kernel.pause(ADA, id);
    await w.services.questions.decide(ADA, (await pending(id))[0]?.request_id ?? "", {
      decision: "approved",
    });
    await until(async () => (await of("runtime.request.completed", child_id)).length === 1);
    await w.services.turns.recover();
    expect(await of("runtime.request.completed", id)).toEqual([]);
    expect(await statusOf(play, id)).toBe("paused");
    await w.services.kernel.resume(ADA, id);
    await until(async () => (await statusOf(play, id)) === "completed");
    expect(await of("agent.tool.outcome", id)).toMatchObject([{ status: "ok" }]);
    expect(w.reported).toEqual([]);
  });
});

import type { EventData, NewEvent, SessionId } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import type { Rule } from "../../src/models/script.ts";
import { delegate } from "../../src/tools/delegate.ts";
import { ADA, gated, look, writer } from "../golden/scene.ts";
import { everything, settle } from "../support/world.ts";
import { type Delegating, delegated, delegating } from "./delegation-support.ts";

const asks: Rule = {
  when: "ask",
  rounds: [[{ call: "change", with: { what: "flag" } }], [{ say: "Changed." }]],
};

function isHeld({ type, data }: NewEvent): boolean {
  const { status, kind } = data as EventData<"runtime.session.state">;
  return type === "runtime.session.state" && status === "paused" && kind === "subagent";
}

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

  it("says that a person is waited for while its sub-agent asks, and who asks what", async () => {
    const play = await working();
    const { w, id, pending, of, until } = play;
    const health = async () =>
      (await w.services.kernel.healthy(await w.services.sessions.get(ADA, id))).health;
    const [{ request_id } = { request_id: "" }] = await pending(id);
    expect((await health()).flags).toEqual(["waiting"]);
    expect((await health()).recovery_hint).toBe(
      `A sub-agent waits for a person: subagent_1 asks about change (${request_id}). Decide it: \`GET /approvals?session_id=${id}\`.`,
    );
    // It is news, so it is in the log, though nobody drives the session; and it is one thing to decide.
    await w.services.health.recordDue();
    expect((await of("runtime.health.snapshot", id)).at(-1)?.flags).toEqual(["waiting"]);
    const needed = (await w.services.inbox.read(ADA)).entries.filter(({ group }) => group === "needs_input");
    expect(needed.map((entry) => entry.request_id)).toEqual([request_id]);
    await w.services.questions.decide(ADA, request_id, { decision: "denied" });
    await until(async () => (await statusOf(play, id)) === "completed");
    expect((await health()).flags).not.toContain("waiting");
    expect((await health()).recovery_hint).toBeNull();
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

  it("that is paused holds its sub-agent: what was decided meanwhile counts when both go on", async () => {
    const play = await working();
    const { w, id, child_id, until, pending, of } = play;
    await w.services.kernel.pause(ADA, id, "Not now.");
    await until(async () => (await statusOf(play, child_id)) === "paused");
    await w.services.questions.decide(ADA, (await pending(id))[0]?.request_id ?? "", {
      decision: "approved",
    });
    await w.services.turns.recover();
    await settle();
    expect(await of("agent.tool.batch", child_id)).toEqual([]);
    expect([await statusOf(play, id), await statusOf(play, child_id)]).toEqual(["paused", "paused"]);
    await w.services.kernel.resume(ADA, id);
    await until(async () => (await statusOf(play, id)) === "completed");
    expect(await of("agent.tool.batch", child_id)).toHaveLength(1);
    expect(await of("agent.tool.outcome", id)).toMatchObject([{ status: "ok" }]);
    expect(w.reported).toEqual([]);
  });

  it("that is paused lets a sub-agent's tool end, and nothing more begin, at any depth", async () => {
    const wait = gated();
    const play = await delegating({
      script: [
        delegated({ task: "down" }),
        delegated({ task: "run" }, "down"),
        { when: "run", rounds: [[{ call: "wait", with: { what: "for it" } }], [{ say: "Ran." }]] },
      ],
      tools: [delegate(), look, writer, wait],
    });
    const { w, until, of, subagents } = play;
    const { session_id: id } = await w.services.kernel.start(ADA, { task: "begin" });
    await until(async () => (await subagents(id)).length === 2);
    const deepest = (await subagents(id)).find(({ depth }) => depth === 2)?.session_id as SessionId;
    await until(async () => (await of("agent.tool.batch", deepest)).length === 1);
    await w.services.kernel.pause(ADA, id);
    await until(async () => (await of("runtime.session.pausing", deepest)).length === 1);
    wait.letGo({ result: "waited" });
    await until(async () => (await statusOf(play, deepest)) === "paused");
    expect(await of("agent.tool.outcome", deepest)).toMatchObject([{ status: "ok" }]);
    expect(await of("agent.output.completed", deepest)).toHaveLength(1);
    await w.services.turns.recover();
    await settle();
    expect(await statusOf(play, deepest)).toBe("paused");
    // What it delegated is its own work: it is at work again, and not in a queue.
    expect((await w.services.kernel.resume(ADA, id)).status).toBe("running");
    await until(async () => (await statusOf(play, id)) === "completed");
    expect(await of("runtime.request.completed", id)).toMatchObject([{ output: "All in: All in: Ran." }]);
    expect(w.reported).toEqual([]);
  });

  it("that is paused in the moment in which it delegates holds also what it has just started", async () => {
    const starting = Promise.withResolvers<void>();
    const paused = Promise.withResolvers<void>();
    const play = await delegating({
      script: [delegated({ task: "ask" }), asks],
      wrap: (log) => ({
        ...log,
        async append(append) {
          if (append.writes.some(({ create }) => create?.kind === "subagent")) {
            starting.resolve();
            await paused.promise;
          }
          return log.append(append);
        },
      }),
    });
    const { w, until, of, subagents } = play;
    const { session_id: id } = await w.services.kernel.start(ADA, { task: "begin" });
    await starting.promise;
    await w.services.kernel.pause(ADA, id);
    paused.resolve();
    await until(async () => (await statusOf(play, id)) === "paused");
    const child = (await subagents(id))[0]?.session_id as SessionId;
    await until(async () => (await statusOf(play, child)) === "paused");
    await w.services.turns.recover();
    await settle();
    expect(await of("agent.tool.batch", child)).toEqual([]);
    await w.services.kernel.resume(ADA, id);
    await until(async () => (await play.pending(id)).length === 1);
    expect(w.reported).toEqual([]);
  });

  it("that goes on in the moment in which its sub-agent is held goes on with it, and nothing hangs", async () => {
    const wait = gated();
    let resumed = false;
    const play: Delegating = await delegating({
      script: [
        delegated({ task: "run" }),
        { when: "run", rounds: [[{ call: "wait", with: { what: "for it" } }], [{ say: "Ran." }]] },
      ],
      tools: [delegate(), look, writer, wait],
      wrap: (log) => ({
        ...log,
        async append(append) {
          const done = await log.append(append);
          const held = append.writes.find(({ events }) => events.some(isHeld));
          if (held === undefined || resumed) return done;
          resumed = true;
          const session = held.stream as SessionId;
          const data = { session_id: session, actor: "ada", reason: "now" };
          await log.append({
            writes: [{ stream: session, events: [{ type: "runtime.session.resuming", data }] }],
          });
          play.w.services.turns.nudge(session);
          return done;
        },
      }),
    });
    const { w, until, of, subagents } = play;
    const { session_id: id } = await w.services.kernel.start(ADA, { task: "begin" });
    await until(async () => (await subagents(id)).length === 1);
    const child = (await subagents(id))[0]?.session_id as SessionId;
    await until(async () => (await of("agent.tool.batch", child)).length === 1);
    await w.services.kernel.pause(ADA, id);
    await until(async () => (await of("runtime.session.pausing", child)).length === 1);
    wait.letGo({ result: "waited" });
    await until(async () => (await of("runtime.request.completed", child)).length === 1);
    expect(resumed).toBe(true);
    // The model was asked only after the log said that the turn goes on.
    const types = (await everything(w.log, child)).map(({ type }) => type);
    expect(types.lastIndexOf("agent.output.completed")).toBeGreaterThan(
      types.lastIndexOf("runtime.turn.resumed"),
    );
    expect(types.lastIndexOf("runtime.turn.resumed")).toBeGreaterThan(
      types.lastIndexOf("runtime.session.resuming"),
    );
    expect(await statusOf(play, child)).toBe("idle");
    expect(w.reported).toEqual([]);
  });

  it("that is cancelled while it is paused ends its sub-agent too", async () => {
    const play = await working();
    const { w, id, child_id, until, of, pending } = play;
    await w.services.kernel.pause(ADA, id);
    await until(async () => (await statusOf(play, child_id)) === "paused");
    await w.services.kernel.cancel(ADA, id, "enough");
    expect((await of("runtime.turn.ended", child_id)).at(-1)?.status).toBe("cancelled");
    expect(await pending(id)).toEqual([]);
    // What people ask of the sub-agent later is theirs: the pause does not bind it.
    await w.services.turns.start(ADA, child_id, { input: "ask" });
    await until(async () => (await of("runtime.request.started", child_id)).length === 2);
    await until(async () => (await pending(child_id)).length === 1);
    expect(w.reported).toEqual([]);
  });
});

import type { SessionId } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import type { Rule } from "../../src/models/script.ts";
import { ADA, gated, look, writer } from "../golden/scene.ts";
import { delegate } from "../../src/tools/delegate.ts";
import { codeOf } from "../support/world.ts";
import { type Delegating, delegated, delegating, says } from "./delegation-support.ts";

const hangs: Rule = { when: "hang", do: [{ hang: true }] };
const asks: Rule = {
  when: "ask",
  rounds: [[{ call: "change", with: { what: "flag" } }], [{ say: "Done." }]],
};
const runs: Rule = {
  when: "run",
  rounds: [[{ call: "wait", with: { what: "for it" } }], [{ say: "Done." }]],
};

/** How the last turn of a session ended. */
async function endOf({ of }: Delegating, session?: SessionId): Promise<string | undefined> {
  return (await of("runtime.turn.ended", session)).at(-1)?.status;
}

describe("a turn that is cancelled while it delegates", () => {
  it.each([
    ["whose model is asked", hangs, "hang", "agent.output.completed", 0],
    ["that waits for a person", asks, "ask", "runtime.question.asked", 1],
    ["whose tool runs", runs, "run", "agent.tool.batch", 1],
  ] as const)("ends its sub-agent first, one %s", async (_, rule, task, type, count) => {
    const play = await delegating({
      script: [delegated({ task }), rule],
      tools: [delegate(), look, writer, gated()],
    });
    const { w, root, say, until, of, subagents, child, pending } = play;
    await say("begin");
    await until(async () => (await of("runtime.turn.ended")).length === 1);
    const session = await child("subagent_1");
    await until(async () => (await of("runtime.request.started", session)).length === 1);
    await until(async () => (await of(type, session)).length >= count);
    await w.services.turns.cancel(ADA, root, "enough");
    // All is over when the answer is there.
    expect(w.reported).toEqual([]);
    expect([await endOf(play), await endOf(play, session)]).toEqual(["cancelled", "cancelled"]);
    expect(await subagents()).toMatchObject([{ status: "cancelled", questions: [] }]);
    expect(await of("runtime.request.cancelled", session)).toMatchObject([
      { reason: "The session that delegated it has ended its turn: enough." },
    ]);
    expect(await pending()).toEqual([]);
    const [outcome, ...more] = await of("agent.tool.outcome");
    expect(outcome).toMatchObject({ tool_name: "delegate", status: "error" });
    expect(outcome?.error).toContain("The sub-agent was cancelled");
    expect(more).toEqual([]);
    const order = (await play.events()).map(({ type: one }) => one);
    expect(order.lastIndexOf("runtime.subagent.event")).toBeLessThan(order.lastIndexOf("runtime.turn.ended"));
  });

  it("reaches those that sub-agents started themselves", async () => {
    const play = await delegating({
      script: [delegated({ task: "down" }), delegated({ task: "hang" }, { task: "hang" }, "down"), hangs],
    });
    const { w, root, say, until, subagents } = play;
    await say("begin");
    await until(async () => (await subagents()).length === 3);
    await w.services.turns.cancel(ADA, root);
    expect((await subagents()).map(({ status }) => status)).toEqual(["cancelled", "cancelled", "cancelled"]);
    for (const { session_id } of await subagents())
      expect(await endOf(play, session_id as SessionId)).toBe("cancelled");
    expect(w.reported).toEqual([]);
  });

  it("ends one that has not begun, and one that was quicker stays what it was", async () => {
    const play = await delegating({
      script: [delegated({ task: "quick" }, { task: "late" }), says("quick", "Done."), hangs],
      // The process that would drive the second is slow: its lease is held by somebody else for now.
      limits: { children: 2 },
      wrap: (log) => ({
        ...log,
        async acquireLease(stream, holder, ttl) {
          const row = await log.row<{ state: { delegation?: { agent_id: string } } }>("session", stream);
          const isLate = row?.state.delegation?.agent_id === "subagent_2";
          return isLate && !letGo ? undefined : log.acquireLease(stream, holder, ttl);
        },
      }),
    });
    const { w, root, say, until, of, subagents, child } = play;
    await say("begin");
    await until(async () => (await subagents()).some(({ status }) => status === "completed"));
    const late = await child("subagent_2");
    expect(await of("runtime.request.started", late)).toEqual([]);
    letGo = true;
    await w.services.turns.cancel(ADA, root);
    expect(w.reported).toEqual([]);
    expect(await endOf(play, late)).toBe("cancelled");
    expect((await subagents()).map(({ agent_id, status }) => `${agent_id} ${status}`).toSorted()).toEqual([
      "subagent_1 completed",
      "subagent_2 cancelled",
    ]);
    expect((await of("agent.tool.outcome")).map(({ status }) => status)).toEqual(["ok", "error"]);
    // Nothing is left that would begin by itself.
    expect(await w.services.turns.recover()).toBe(0);
  });
  let letGo = false;
});

describe("a sub-agent that is cancelled alone", () => {
  it("ends its call with an error, and the turn goes on", async () => {
    const { w, say, until, ended, of, subagents, child } = await delegating({
      script: [delegated({ task: "hang" }), hangs],
    });
    await say("begin");
    await until(async () => (await subagents()).length === 1);
    const session = await child("subagent_1");
    await until(async () => (await of("runtime.request.started", session)).length === 1);
    await w.services.turns.cancel(ADA, session, "not needed");
    await ended();
    expect(await of("agent.tool.outcome")).toMatchObject([
      { status: "error", error: "The sub-agent was cancelled: not needed. Its work may be half done." },
    ]);
    expect(await of("runtime.request.completed")).toHaveLength(1);
    expect(await codeOf(w.services.turns.cancel(ADA, session))).toBe("turn_not_found");
  });

  it("takes requests of people afterwards, which are theirs and nobody else's", async () => {
    const { w, say, ended, of, subagents, child } = await delegating({
      script: [
        delegated({ task: "quick", max_tokens: 10_000 }),
        says("quick", "Done."),
        says("more", "And more."),
      ],
    });
    await say("begin");
    await ended();
    const session = await child("subagent_1");
    const before = await of("runtime.subagent.event");
    await w.services.turns.start(ADA, session, { input: "Say more." });
    await ended(session);
    expect(await of("runtime.request.completed", session)).toMatchObject([
      { output: "Done." },
      { output: "And more." },
    ]);
    expect(await of("runtime.subagent.event")).toEqual(before);
    expect(await subagents()).toMatchObject([{ status: "completed", summary: "Done." }]);
  });
});

import { describe, expect, it } from "vitest";
import type { Rule } from "../../src/models/script.ts";
import { ADA } from "../golden/scene.ts";
import { actor, codeOf } from "../support/world.ts";
import { delegated, delegating } from "./delegation-support.ts";

/** A sub-agent that changes something, for which somebody must be asked. */
const changes = (when: string): Rule => ({
  when,
  rounds: [
    [{ call: "change", with: { what: when } }],
    [{ when_failed: true, do: [{ say: `Not changed: {{result}}` }] }, { do: [{ say: `Changed ${when}.` }] }],
  ],
});

describe("a question of a sub-agent", () => {
  it("is listed by the session at the top, told there, and decided from anywhere", async () => {
    const { w, root, say, ended, until, of, pending, subagents, child } = await delegating({
      script: [delegated({ task: "flag" }), changes("flag")],
    });
    await say("begin");
    await until(async () => (await pending()).length === 1);
    const session = await child("subagent_1");
    const [question] = await pending();
    expect(question).toMatchObject({
      session_id: session,
      agent_id: "subagent_1",
      root_session_id: root,
      parent_session_id: root,
      depth: 1,
      tool_name: "change",
    });
    const request_id = question?.request_id ?? "";
    expect(await pending(session)).toMatchObject([{ request_id }]);
    // A list of all has it once.
    expect((await w.services.questions.list(ADA, {})).rows).toHaveLength(1);
    expect((await of("runtime.subagent.event")).at(-1)).toMatchObject({
      status: "awaiting_approval",
      agent_id: "subagent_1",
      session_id: session,
      request_id,
      tool_name: "change",
    });
    expect(await subagents()).toMatchObject([{ status: "awaiting_approval", questions: [request_id] }]);
    // Lists of what needs somebody show the session that people know.
    const needs = await w.services.sessions.list(ADA, { status: ["awaiting_approval"] });
    expect(needs.rows).toMatchObject([{ session_id: root }]);
    await w.services.questions.decide(ADA, request_id, { decision: "approved" });
    expect((await w.services.sessions.get(ADA, root)).status).not.toBe("awaiting_approval");
    await ended();
    expect(w.reported).toEqual([]);
    expect(await w.services.sessions.get(ADA, root)).toMatchObject({ status: "idle" });
    expect((await of("runtime.subagent.event")).map(({ status }) => status)).toEqual([
      "started",
      "awaiting_approval",
      "running",
      "completed",
    ]);
    expect(await of("runtime.request.completed")).toMatchObject([{ output: "All in: Changed flag." }]);
    expect(await pending()).toEqual([]);
    const all = await w.services.questions.list(ADA, { session_id: root });
    expect(all.rows).toMatchObject([{ request_id, state: "approved" }]);
    expect(await subagents()).toMatchObject([{ status: "completed", questions: [] }]);
  });

  it("that is denied is the sub-agent's to deal with", async () => {
    const { w, say, ended, until, of, pending } = await delegating({
      script: [delegated({ task: "flag" }), changes("flag")],
    });
    await say("begin");
    await until(async () => (await pending()).length === 1);
    await w.services.questions.decide(ADA, (await pending())[0]?.request_id ?? "", { decision: "denied" });
    await ended();
    const [end] = await of("runtime.request.completed");
    expect(end?.output).toContain("Not changed: ada denied this call.");
  });

  it("of one far below reaches who delegated it and the top, and not what lies between them", async () => {
    const { w, root, say, ended, until, of, pending, child } = await delegating({
      limits: { depth: 3 },
      script: [
        delegated({ task: "down one" }),
        delegated({ task: "down two" }, "one"),
        delegated({ task: "flag" }, "two"),
        changes("flag"),
      ],
    });
    await say("begin");
    await until(async () => (await pending()).length === 1);
    const [first, second] = [await child("subagent_1"), await child("subagent_1.1")];
    const asked = async (session: typeof root) =>
      (await of("runtime.subagent.event", session)).filter(({ status }) => status === "awaiting_approval")
        .length;
    expect([await asked(root), await asked(first), await asked(second)]).toEqual([1, 0, 1]);
    expect([await pending(first), await pending(second)].map((rows) => rows.length)).toEqual([0, 1]);
    await w.services.questions.decide(ADA, (await pending())[0]?.request_id ?? "", { decision: "approved" });
    await ended();
    expect(w.reported).toEqual([]);
    expect(await of("runtime.request.completed")).toMatchObject([
      { output: "All in: All in: All in: Changed flag." },
    ]);
  });

  it("that is one of several leaves the sub-agent waiting for the others", async () => {
    const both: Rule = {
      when: "both",
      rounds: [
        [
          { call: "change", with: { what: "a" } },
          { call: "change", with: { what: "b" } },
        ],
        [{ say: "Both." }],
      ],
    };
    const { w, say, ended, until, subagents, pending } = await delegating({
      script: [delegated({ task: "both" }), both],
    });
    await say("begin");
    await until(async () => (await pending()).length === 2);
    const [one, other] = await pending();
    await w.services.questions.decide(ADA, one?.request_id ?? "", { decision: "approved" });
    expect(await subagents()).toMatchObject([
      { status: "awaiting_approval", questions: [other?.request_id] },
    ]);
    await w.services.questions.decide(ADA, other?.request_id ?? "", { decision: "approved" });
    await ended();
    expect(await subagents()).toMatchObject([{ status: "completed" }]);
  });

  it("expires where it was asked, and no longer waits at the top", async () => {
    const { w, say, ended, until, of, pending } = await delegating({
      script: [delegated({ task: "flag" }), changes("flag")],
      limits: { approvalMs: 1_000 },
    });
    await say("begin");
    await until(async () => (await pending()).length === 1);
    await w.time.advance(1_000);
    expect(await w.services.questions.expireDue()).toBe(1);
    await ended();
    expect(await pending()).toEqual([]);
    expect((await of("runtime.subagent.event")).at(-2)).toMatchObject({ decision: "expired" });
  });

  it("is decided by those who may decide, and seen by those who may see", async () => {
    const { w, say, until, pending } = await delegating({
      script: [delegated({ task: "flag" }), changes("flag")],
      settings: { project: "alpha" },
    });
    await say("begin");
    await until(async () => (await pending()).length === 1);
    const request_id = (await pending())[0]?.request_id ?? "";
    const yes = { decision: "approved" } as const;
    const { questions } = w.services;
    expect(await codeOf(questions.decide(actor("viewer"), request_id, yes))).toBe("forbidden");
    expect(await codeOf(questions.decide(actor("operator", "eve", "beta"), request_id, yes))).toBe(
      "question_not_found",
    );
    expect(await pending()).toHaveLength(1);
  });
});

describe("the modes of a session above", () => {
  it("hold for what it delegated, also when they were narrowed since", async () => {
    const twice: Rule = {
      when: "twice",
      rounds: [
        [{ call: "change", with: { what: "a" } }],
        [{ call: "change", with: { what: "b" } }],
        [{ say: "{{result}}" }],
      ],
    };
    const { w, root, say, ended, until, of, pending, child } = await delegating({
      script: [delegated({ task: "twice" }), twice],
      settings: { permission_mode: "normal" },
    });
    await say("begin");
    await until(async () => (await pending()).length === 1);
    const session = await child("subagent_1");
    // What somebody chose for the sub-agent itself does not reach further than what is above it.
    await w.services.sessions.configure(ADA, session, { permission_mode: "full_access" });
    await w.services.sessions.configure(ADA, root, { permission_mode: "plan" });
    await w.services.questions.decide(ADA, (await pending())[0]?.request_id ?? "", { decision: "approved" });
    await ended();
    // A yes is no leave to do what may not be done any more.
    expect((await of("agent.tool.outcome", session)).map(({ status }) => status)).toEqual([
      "denied",
      "denied",
    ]);
  });
});

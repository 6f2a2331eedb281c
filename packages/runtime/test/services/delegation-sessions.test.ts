import { describe, expect, it } from "vitest";
import type { Rule } from "../../src/models/script.ts";
import { ADA } from "../golden/scene.ts";
import { ADMIN, actor, codeOf } from "../support/world.ts";
import { delegated, delegating, says } from "./delegation-support.ts";

const hangs: Rule = { when: "hang", do: [{ hang: true }] };
const nested = [delegated({ task: "down" }), delegated({ task: "quick" }, "down"), says("quick", "Done.")];

describe("the sessions of sub-agents", () => {
  it("are left out of the list of chats, and there when they are asked for", async () => {
    const { w, root, say, ended } = await delegating({ script: nested });
    await say("begin");
    await ended();
    const ids = async (query: Parameters<typeof w.services.sessions.list>[1]) =>
      (await w.services.sessions.list(ADA, query)).rows.map(({ session_id }) => session_id);
    expect(await ids({})).toEqual([root]);
    expect(await ids({ kind: "chat" })).toEqual([root]);
    expect(await ids({ kind: "subagent" })).toHaveLength(2);
    expect(await ids({ include: "subagents" })).toHaveLength(3);
    expect(await ids({ kind: "chat", include: "subagents" })).toHaveLength(3);
    expect(await ids({ kind: "background", include: "subagents" })).toHaveLength(2);
  });

  it("belong to whom the session above belongs to", async () => {
    const { w, say, ended, child } = await delegating({
      script: nested,
      settings: { project: "alpha" },
    });
    await say("begin");
    await ended();
    const session = await child("subagent_1.1");
    expect(await w.services.sessions.get(ADA, session)).toMatchObject({
      project: "alpha",
      created_by: "ada",
      owner: "user",
    });
    const eve = actor("operator", "eve", "beta");
    expect(await codeOf(w.services.sessions.get(eve, session))).toBe("session_not_found");
  });

  it("are deleted with the session that delegated to them, all of them", async () => {
    const { w, root, say, ended, child } = await delegating({ script: nested });
    await say("begin");
    await ended();
    const all = [root, await child("subagent_1"), await child("subagent_1.1")];
    await w.services.sessions.purge(ADMIN, root, "over");
    for (const session of all)
      expect(await codeOf(w.services.sessions.get(ADA, session))).toBe("session_purged");
    expect((await w.services.sessions.list(ADMIN, {})).rows).toEqual([]);
  });

  it("can be deleted alone once they are done", async () => {
    const { w, say, ended, child, of } = await delegating({ script: nested });
    await say("begin");
    await ended();
    await w.services.sessions.purge(ADMIN, await child("subagent_1.1"), "over");
    expect(await of("runtime.request.completed")).toHaveLength(1);
  });

  it("are not deleted while somebody waits for them, nor is who waits", async () => {
    const { w, root, say, until, of, child } = await delegating({
      script: [delegated({ task: "hang" }), hangs],
    });
    await say("begin");
    await until(async () => (await of("runtime.turn.ended")).length === 1);
    const session = await child("subagent_1");
    await until(async () => (await of("runtime.request.started", session)).length === 1);
    for (const one of [root, session])
      expect(await codeOf(w.services.sessions.purge(ADMIN, one, "over"))).toBe("turn_active");
    expect(await of("runtime.request.started", session)).toHaveLength(1);
    await w.services.turns.cancel(ADA, root);
    await w.services.sessions.purge(ADMIN, root, "over");
  });

  it("can be branched, into chats that nobody waits for", async () => {
    const { w, say, ended, child, of, subagents } = await delegating({ script: nested });
    await say("begin");
    await ended();
    const branch = await w.services.branches.branch(ADA, await child("subagent_1"), {});
    expect(branch).toMatchObject({ kind: "chat" });
    expect(branch.state?.delegation ?? null).toBeNull();
    expect(branch.state?.depth ?? 0).toBe(0);
    const before = await of("runtime.subagent.event");
    await w.services.turns.start(ADA, branch.session_id, { input: "quick" });
    await ended(branch.session_id);
    expect(await of("runtime.subagent.event")).toEqual(before);
    expect(await subagents()).toHaveLength(2);
  });

  it("stay with the session above when that is branched while they work", async () => {
    const { w, root, say, until, ended, of, child } = await delegating({
      script: [delegated({ task: "hang" }), hangs, says("again", "Again.")],
    });
    await say("begin");
    await until(async () => (await of("runtime.turn.ended")).length === 1);
    const { session_id } = await w.services.branches.branch(ADA, root, {});
    expect(await of("agent.tool.outcome", session_id)).toMatchObject([{ status: "error" }]);
    await w.services.turns.start(ADA, session_id, { input: "again" });
    await ended(session_id);
    const session = await child("subagent_1");
    await until(async () => (await of("runtime.request.started", session)).length === 1);
    await w.services.turns.cancel(ADA, session, "enough");
    await ended();
    expect(await of("runtime.subagent.event", session_id)).toEqual([]);
    expect(w.reported).toEqual([]);
  });
});

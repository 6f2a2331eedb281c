import { describe, expect, test } from "vitest";
import { ADA, branchWorld, say, workedSession } from "../branches/support.ts";
import { actor, codeOf, everything } from "../support/world.ts";

describe("two sessions compared", () => {
  test("a branch and its parent, since the fork", async () => {
    const w = branchWorld();
    const { comparisons, branches } = w.services;
    const parent = await workedSession(w);
    const branch = await branches.branch(ADA, parent, {});
    await say(w, branch.session_id, "hello again");
    await say(w, parent, "and you");
    const found = await comparisons.compare(ADA, parent, branch.session_id);
    expect(found.ancestor).toMatchObject({
      session_id: parent,
      event_id: branch.state?.branch_source_event_id,
    });
    expect(found.a.turns.map(({ input, outcome }) => [input, outcome])).toEqual([["and you", "completed"]]);
    expect(found.b.turns.map(({ input, result }) => [input, result])).toEqual([
      ["hello again", "Answer to hello again"],
    ]);
    expect(found.b.events).toBe(found.b.head_seq - (found.ancestor?.seq ?? 0));
    expect(Object.values(found.b.event_types).reduce((sum, count) => sum + count, 0)).toBe(found.b.events);
    // The other way round is the same, mirrored.
    const mirrored = await comparisons.compare(ADA, branch.session_id, parent);
    expect([mirrored.a, mirrored.b]).toEqual([found.b, found.a]);
    expect(mirrored.ancestor).toEqual(found.ancestor);
  });

  test("a turn that had ended at the fork is of neither, though what it came to was said later", async () => {
    const w = branchWorld();
    const { comparisons, branches } = w.services;
    const parent = await workedSession(w);
    await say(w, parent, "more");
    const end = (await everything(w.log, parent)).findLast(({ type }) => type === "runtime.turn.ended");
    const branch = await branches.branch(ADA, parent, { from_event_id: end?.id ?? "" });
    await say(w, branch.session_id, "hello again");
    const found = await comparisons.compare(ADA, parent, branch.session_id);
    expect(found.a.turns).toEqual([]);
    expect(found.b.turns.map(({ input }) => input)).toEqual(["hello again"]);
  });

  test("branches of branches meet where they first part", async () => {
    const w = branchWorld();
    const { comparisons, branches } = w.services;
    const root = await workedSession(w);
    const left = await branches.branch(ADA, root, {});
    const deep = await branches.branch(ADA, left.session_id, {});
    await say(w, root, "later");
    const right = await branches.branch(ADA, root, {});
    const found = await comparisons.compare(ADA, deep.session_id, right.session_id);
    expect(found.ancestor).toMatchObject({
      session_id: root,
      event_id: left.state?.branch_source_event_id,
    });
    expect(found.b.turns.map(({ input }) => input)).toEqual(["later"]);
    expect(found.a.turns).toEqual([]);
  });

  test("tools, questions, tokens; strangers from their beginnings; and a session with itself", async () => {
    const w = branchWorld();
    const { comparisons, sessions } = w.services;
    const worked = await workedSession(w);
    const other = (await sessions.create(ADA, {})).session_id;
    const found = await comparisons.compare(ADA, worked, other);
    expect(found.ancestor).toBeNull();
    expect(found.a.tools).toEqual({ look: { ok: 2 }, send: { ok: 1 } });
    expect(found.a.questions).toEqual({ asked: 1, approved: 1, denied: 0 });
    expect(found.a.total_tokens).toBeGreaterThan(0);
    expect(found.b).toMatchObject({ events: 1, turns: [], total_tokens: 0, cost_usd: 0, files: null });
    const same = await comparisons.compare(ADA, worked, worked);
    expect(same.a.events).toBe(0);
    expect(same.ancestor?.seq).toBe(same.a.head_seq);
  });

  test("nobody compares what they may not see", async () => {
    const w = branchWorld();
    const worked = await workedSession(w);
    const { comparisons } = w.services;
    expect(await codeOf(comparisons.compare(actor("viewer", "eve", "elsewhere"), worked, worked))).toBe(
      "session_not_found",
    );
    expect(await codeOf(comparisons.compare(ADA, worked, "ses_none"))).toBe("session_not_found");
  });
});

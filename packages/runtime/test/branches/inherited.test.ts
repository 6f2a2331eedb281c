import type { SessionId } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import type { World } from "../support/world.ts";
import { ADA, branchWorld, idle, waiting, whole, workedSession } from "./support.ts";

async function pending(w: World, session_id: SessionId) {
  return (await w.services.questions.list(ADA, { session_id, state: "pending" })).rows;
}

describe("a call that the parent had begun", () => {
  it("says in the branch what is known of it there: nothing, its result, or that it did not run", async () => {
    const w = branchWorld();
    const parent = await workedSession(w);
    const events = await whole(w, parent);
    const outcomeAfter = async (type: string) => {
      const event = events.find((one) => one.type === type);
      const { session_id } = await w.services.branches.branch(ADA, parent, {
        from_event_id: event?.id ?? "",
      });
      const own = (await w.log.read(session_id)).events;
      return own.filter((one) => one.type === "agent.tool.outcome").map(({ data }) => data);
    };
    const unknown = "This ran in the session that this one branched from. What came of it is not known here.";
    expect(await outcomeAfter("agent.tool.batch")).toMatchObject([
      { tool_call_id: "c1", status: "error", error: unknown },
      { tool_call_id: "c2", status: "error", error: unknown },
    ]);
    expect(await outcomeAfter("agent.tool.result")).toMatchObject([
      { tool_call_id: "c1", status: "ok" },
      { tool_call_id: "c2", status: "error", error: unknown },
    ]);
    expect(await outcomeAfter("agent.tool.start")).toMatchObject([
      { tool_call_id: "c1", status: "error", error: "Not run: the session was branched before." },
    ]);
    expect(await outcomeAfter("agent.output.completed")).toEqual([]);
  });
});

describe("a yes that was given in the parent", () => {
  it("for the whole session does not hold in the branch: there a person is asked again", async () => {
    const w = branchWorld();
    const { session_id: parent } = await w.services.sessions.create(ADA, {});
    await w.services.turns.start(ADA, parent, { input: "send it" });
    await waiting(w, parent);
    const [question] = await pending(w, parent);
    const scope = { kind: "session" } as const;
    await w.services.questions.decide(ADA, question?.request_id ?? "", { decision: "approved", scope });
    await idle(w, parent);
    const { session_id: child } = await w.services.branches.branch(ADA, parent, {});
    await w.services.turns.start(ADA, child, { input: "send it" });
    await waiting(w, child);
    expect(await pending(w, child)).toMatchObject([{ session_id: child, tool_name: "send" }]);
    // In the parent it does.
    await w.services.turns.start(ADA, parent, { input: "send it" });
    await idle(w, parent);
    expect(await pending(w, parent)).toEqual([]);
    await w.services.turns.cancel(ADA, child);
  });
});

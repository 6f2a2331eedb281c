import { describe, expect, it } from "vitest";
import type { Rule } from "../../src/models/script.ts";
import { ADA } from "../golden/scene.ts";
import { delegating } from "./delegation-support.ts";

const ask = (...tasks: readonly string[]): Rule => ({
  when: "begin",
  rounds: [tasks.map((task) => ({ call: "delegate", with: { task } })), [{ say: "All in: {{result}}" }]],
});

describe("delegated work", () => {
  it("is done in a session of its own, and comes back as the outcome of the call", async () => {
    const { w, say, ended, of, subagents, child, events } = await delegating({
      rules_of_model: [ask("Count the stars."), { when: "stars", do: [{ say: "Nine." }] }],
    });
    await say("begin");
    await ended();
    expect(w.reported).toEqual([]);
    expect(await of("runtime.request.completed")).toMatchObject([{ output: "All in: Nine." }]);
    expect(await of("agent.tool.outcome")).toMatchObject([
      { tool_name: "delegate", status: "ok", result: { agent_id: "subagent_1", output: "Nine." } },
    ]);
    const session = await child("subagent_1");
    expect(await subagents()).toMatchObject([
      { agent_id: "subagent_1", status: "completed", task: "Count the stars.", summary: "Nine.", depth: 1 },
    ]);
    expect(await of("runtime.request.completed", session)).toMatchObject([{ output: "Nine." }]);
    expect((await events(session))[0]?.data).toMatchObject({
      kind: "subagent",
      depth: 1,
      permission_mode: "normal",
    });
    expect((await w.services.sessions.get(ADA, session)).kind).toBe("subagent");
  });
});

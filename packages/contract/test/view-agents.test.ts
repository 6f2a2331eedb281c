import fc from "fast-check";
import { expect, test } from "vitest";
import type { FrontendFrame, FrontendPayload } from "../src/index.ts";
import { type Agent, agentTree, type AgentTree, timelineOf } from "../src/view/index.ts";
import { withAgent } from "../src/view/agents.ts";
import { frame } from "./support/frame.ts";

type Said = FrontendPayload<"subagent_event">;
const AT = "2026-01-01T00:00:00.000Z";

function after(...events: readonly (Partial<Said> & Pick<Said, "agent_id" | "status">)[]): readonly Agent[] {
  return events.reduce<readonly Agent[]>(
    (agents, said, index) =>
      withAgent(agents, { parent_session_id: "ses_top", ...said }, { seq: index + 1, at: AT }),
    [],
  );
}

const shape = (trees: readonly AgentTree[]): unknown =>
  trees.map(({ agent, below }) => (below.length === 0 ? agent.agent_id : [agent.agent_id, shape(below)]));

test("a child of a child stands below it, whoever was heard of first", () => {
  const agents = after(
    { agent_id: "a.1", status: "started", session_id: "ses_3", parent_session_id: "ses_2" },
    { agent_id: "a", status: "started", session_id: "ses_2" },
    { agent_id: "b", status: "completed", session_id: "ses_4", cost_usd: 0.5 },
  );
  expect(shape(agentTree(agents))).toEqual([["a", ["a.1"]], "b"]);
});

test("what is said later holds, and what it used stays known", () => {
  const [agent] = after(
    { agent_id: "a", status: "started", task: "Look", session_id: "ses_2" },
    { agent_id: "a", status: "completed", tokens: 12, summary: "Looked" },
  );
  expect(agent).toMatchObject({ status: "completed", task: "Look", session_id: "ses_2", tokens: 12, seq: 2 });
});

test("a question is open until it is decided or its agent has ended; a later one is not taken for decided", () => {
  const asks = (request_id: string) =>
    ({ agent_id: "a", status: "awaiting_approval", request_id, tool_name: "shell", reason: "why" }) as const;
  const decided = { agent_id: "a", status: "running", request_id: "apr_1", decision: "approved" } as const;
  const open = (agents: readonly Agent[]) => agents[0]?.questions.map(({ request_id }) => request_id);
  expect(open(after(asks("apr_1"), asks("apr_2")))).toEqual(["apr_1", "apr_2"]);
  expect(open(after(asks("apr_1"), asks("apr_2"), decided))).toEqual(["apr_2"]);
  expect(open(after(asks("apr_1"), decided, asks("apr_2")))).toEqual(["apr_2"]);
  expect(after(asks("apr_1"), decided)[0]).toMatchObject({ status: "running", questions: [] });
  expect(open(after(asks("apr_1"), { agent_id: "a", status: "cancelled" }))).toEqual([]);
});

test("every agent is in the tree once, also where what is said of parents goes in a circle", () => {
  const session = fc.constantFrom("ses_1", "ses_2", "ses_3", "ses_4");
  const said = fc.record({ session_id: session, parent_session_id: session });
  fc.assert(
    fc.property(fc.array(said, { maxLength: 8 }), (all) => {
      const agents = after(
        ...all.map((one, index) => ({ ...one, agent_id: `a${index}`, status: "started" })),
      );
      const flat = (trees: readonly AgentTree[]): string[] =>
        trees.flatMap(({ agent, below }) => [agent.agent_id, ...flat(below)]);
      expect(flat(agentTree(agents)).toSorted()).toEqual(agents.map(({ agent_id }) => agent_id).toSorted());
    }),
  );
});

test("one has the title that it was given, whatever is heard of it later", () => {
  const began = { agent_id: "a", status: "started", task: "Look at all", details: { title: "The look" } };
  expect(after(began, { agent_id: "a", status: "completed" })[0]).toMatchObject({ title: "The look" });
  expect(after({ agent_id: "a", status: "started", details: { title: 7 } })[0]?.title).toBe(null);
});

test("a call whose sub-agent has ended says so, though it is not heard of yet", () => {
  const call = { name: "delegate", arguments: {}, tool_call_id: "call_1" };
  const frames = [
    frame("tool_call", call),
    frame("tool_batch", { tool_call_ids: ["call_1"], wave: 1 }),
    frame("subagent_event", { agent_id: "a", status: "running", tool_call_id: "call_1" }),
  ];
  const ended = frame("subagent_event", { agent_id: "a", status: "completed", tool_call_id: "call_1" });
  const of = (...more: readonly FrontendFrame[]) => timelineOf([...frames, ...more])[0];
  expect(of()).not.toHaveProperty("reported");
  expect(of(ended)).toMatchObject({ state: "running", reported: "completed" });
  const below = frame("subagent_event", { agent_id: "a.1", status: "failed", tool_call_id: "call_9" });
  expect(of(below)).not.toHaveProperty("reported");
});

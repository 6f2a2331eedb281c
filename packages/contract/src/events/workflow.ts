import { signal, runtimeFact, text, texts } from "./fields.ts";

export const WORKFLOW_EVENTS = {
  "runtime.workflow.started": runtimeFact("runtime.workflow.started", "A workflow began.", {
    workflow_id: text,
    adapter: text,
  }),
  "runtime.workflow.completed": runtimeFact("runtime.workflow.completed", "A workflow finished.", {
    workflow_id: text,
    adapter: text,
  }),
  "agent.handoff": signal({
    tier: "debug",
    faces: { frontend: null, runtime: "agent.handoff" },
    doc: "An adapter took over execution.",
    fields: {
      adapter: text,
      model_ref: text.optional(),
      tools: texts.optional(),
      subagents: texts.optional(),
    },
  }),
  "agent.langgraph.invoke": signal({
    tier: "debug",
    faces: { frontend: null, runtime: "agent.langgraph.invoke" },
    doc: "A LangGraph workflow was invoked.",
    fields: { adapter: text, workflow_id: text },
  }),
  "agent.node.completed": signal({
    tier: "debug",
    faces: { frontend: null, runtime: "agent.node.completed" },
    doc: "A node of a workflow completed.",
    fields: { adapter: text, workflow_id: text, node_id: text },
  }),
};

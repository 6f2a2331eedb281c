import type { PlanningDecision, PlanningStrategy, ReasoningDecision } from "@fairlead/ahp";
import type { Effects } from "./effects.ts";
import { block, items } from "./render.ts";

/** How the model is told to plan. Strategies without words of ours are named as they are. */
const STRATEGIES: Record<Exclude<PlanningStrategy, object>, string | undefined> = {
  none: undefined,
  step_by_step: "Plan first: a short list of steps, then take them one after the other.",
  tree_of_thoughts: "Plan first: weigh several different ways against each other, then take the best.",
  graph_planning: "Plan first: the parts of the work and what depends on what, then what can be done first.",
};

export function readPlanning(decision: PlanningDecision, by: string): Effects["planning"] {
  switch (decision.decision) {
    case "allow": {
      const { selected_strategy: strategy, planning_template: template } = decision;
      const told =
        typeof strategy === "string"
          ? STRATEGIES[strategy]
          : `Plan first, by this strategy: ${strategy.custom}`;
      const text = block("plan", by, [told, template === undefined ? undefined : templateText(template)]);
      return { kind: "go", strategy, text };
    }
    case "modify": {
      const { modified_task: task, hints } = decision;
      return { kind: "go", task, text: block("plan", by, [items("Hints", hints)]) };
    }
    case "block":
      return { kind: "stop", reason: decision.reason };
  }
}

function templateText(template: unknown): string {
  return `Template:\n${typeof template === "string" ? template : (JSON.stringify(template, null, 2) ?? "")}`;
}

export function readReasoning(decision: ReasoningDecision, by: string): Effects["reasoning"] {
  switch (decision.decision) {
    case "allow":
      return { kind: "go", text: block("hints", by, [items("Hints", decision.hints)]) };
    case "block":
      return { kind: "stop", reason: decision.reason };
  }
}

import type { Summary } from "@fairlead/contract/view";
import type { Detail } from "./detail.ts";

/** What a session can come to have and does not have yet, by what its panel is called. */
export function noneYet(summary: Summary, detail: Detail | null): readonly string[] {
  const has: Readonly<Record<string, boolean>> = {
    cost: summary.usage.calls + summary.usage.earlier > 0,
    tasks: summary.tasks.length > 0,
    "steps and checkpoints": summary.steps.length + summary.checkpoints.length > 0,
    "sub-agents": summary.subagents.length > 0,
    verification: summary.verification !== null || (summary.state.requires ?? []).length > 0,
    "files changed": summary.files.length > 0,
    artifacts: (detail?.session.artifacts ?? []).length > 0,
    context: summary.retrieval !== null || summary.warnings.length + summary.compactions.length > 0,
    guardrails: summary.cognition !== null,
    "recovery verdicts": summary.verdicts.length > 0,
    "policy decisions": summary.policies.length > 0,
    "places to branch from": (detail?.chat?.resume_points ?? []).length > 0,
  };
  return Object.keys(has).filter((name) => has[name] === false);
}

import { own, worded } from "./words/json.ts";

/** Decisions that changed nothing, or that a question of its own tells of. All others are worth a look. */
const QUIET: ReadonlySet<string> = new Set([
  "allow",
  "approve",
  "continue",
  "configured",
  "unsupported",
  "escalate",
  "approval_request",
]);

/** Whether the default tier leaves it out. What is not known is shown: a newer word may mean a no. */
export function isQuiet({ outcome }: { readonly outcome: string }): boolean {
  return QUIET.has(outcome);
}

const OUTCOMES: Readonly<Record<string, string>> = {
  block: "Blocked",
  deny: "Denied",
  modify: "Changed",
  pause: "Paused",
  allow: "Allowed",
  approve: "Allowed",
  continue: "Let go on",
  configured: "Set up",
  unsupported: "Not judged",
  escalate: "Put before a person",
  approval_request: "Put before a person",
};
const SUBJECTS: Readonly<Record<string, string>> = {
  pre_action: "an action",
  pre_prompt: "what the model is sent",
  post_action: "what came of an action",
  turn_runtime: "how the turn runs",
  health_policy: "a budget that is used up",
};

/** What was decided, in words. */
export function policyTitle(said: {
  readonly subject: string;
  readonly outcome: string;
  readonly tool_name?: string | undefined;
}): string {
  const word = own(OUTCOMES, said.outcome) ?? `Policy says ${worded(said.outcome)}`;
  return `${word}: ${said.tool_name ?? own(SUBJECTS, said.subject) ?? worded(said.subject)}`;
}

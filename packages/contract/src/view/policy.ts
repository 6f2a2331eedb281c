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

const WORDS: Readonly<Record<string, string>> = { block: "Blocked", deny: "Denied", modify: "Changed" };

/** What was decided, in words. */
export function policyTitle(said: {
  readonly subject: string;
  readonly outcome: string;
  readonly tool_name?: string | undefined;
}): string {
  const word = WORDS[said.outcome] ?? `Policy says ${said.outcome.replaceAll("_", " ")}`;
  return `${word}: ${said.tool_name ?? said.subject.replaceAll("_", " ")}`;
}

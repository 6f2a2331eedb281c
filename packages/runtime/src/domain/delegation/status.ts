/** How delegated work can end. Everything else that is said of it is on the way there. */
const SUBAGENT_ENDS = ["completed", "failed", "cancelled"] as const;
export type SubagentEnd = (typeof SUBAGENT_ENDS)[number];

export function isEnd(status: string): status is SubagentEnd {
  return (SUBAGENT_ENDS as readonly string[]).includes(status);
}

import type { Rules } from "./rules.ts";

/** Decides where the rules were switched off for a gate. */
export const UNASKED = "config:unsupervised";

/** Stands in for the rules at a gate that was switched off: lets everything pass, and says why each time. */
export function unaskedRules(rules: Rules): Rules {
  return {
    get hash() {
      return rules.hash;
    },
    count: 0,
    covers: () => false,
    judge: ({ event }) => ({
      decision: { decision: "allow" },
      rule_id: null,
      data: {
        subject: event.event_type,
        outcome: "allow",
        reason: "Rules are not asked: the configuration names this in supervise.unsupervised.",
        source: UNASKED,
        rule_set_hash: rules.hash,
        ...toolName(event.payload),
      },
    }),
  };
}

function toolName(payload: unknown): { readonly tool_name?: string } {
  const name = (payload as { tool_name?: unknown } | null)?.tool_name;
  return typeof name === "string" ? { tool_name: name } : {};
}

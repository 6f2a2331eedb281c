import { AhpEvent } from "@fairlead/ahp";
import type { PolicyInput } from "./input.ts";
import { NO_BUDGET, NO_HISTORY, NO_STATS } from "./input.ts";

export type Sample =
  | { readonly ok: true; readonly input: PolicyInput }
  | { readonly ok: false; readonly message: string };

const UNSTATED = { session_id: "session", agent_id: "agent", timestamp: "1970-01-01T00:00:00Z", depth: 0 };

/** An input for an event that somebody wrote down: alone or as the message that carries it, bare of what is not in question. */
export function sampleInput(value: unknown, workspace: string | undefined): Sample {
  const message = value as { method?: unknown; params?: unknown } | null;
  const stated = message?.method === "ahp/event" ? message.params : value;
  if (typeof stated !== "object" || stated === null || Array.isArray(stated)) {
    return { ok: false, message: "An event is a JSON object with event_type and payload." };
  }
  const read = AhpEvent.safeParse({ ...UNSTATED, ...stated });
  if (!read.success) {
    const [issue] = read.error.issues;
    return { ok: false, message: `${issue?.path.join(".")}: ${issue?.message}.` };
  }
  const stats = { ...NO_STATS, ...read.data.context?.session_stats };
  return {
    ok: true,
    input: {
      event: read.data,
      stats,
      budget: NO_BUDGET,
      history: NO_HISTORY,
      ...(workspace === undefined ? {} : { workspace }),
    },
  };
}

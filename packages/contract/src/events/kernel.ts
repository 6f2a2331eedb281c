import { z } from "zod";
import { count, fact, text } from "./fields.ts";
import type { SessionStatus } from "./session.ts";

/** What is done when a session crosses a budget: a person is asked, or it waits to be looked at. */
export const HEALTH_ACTIONS = ["approval_request", "pause"] as const;
export type HealthAction = (typeof HEALTH_ACTIONS)[number];

/** The budgets of seed 000. What is left out is not limited. */
export const HealthPolicy = z.strictObject({
  min_score: z.number().min(0).max(100).optional(),
  max_runtime_minutes: z.number().positive().optional(),
  max_total_tokens: count.optional(),
  max_cost_usd: z.number().min(0).optional(),
  max_context_percent: z.number().min(0).max(100).optional(),
  max_failed_tool_calls: count.optional(),
  max_loop_warnings: count.optional(),
  max_repeated_plan_events: count.optional(),
  max_tool_latency_ms: z.number().min(0).optional(),
  max_events_without_evidence: count.optional(),
  action: z.enum(HEALTH_ACTIONS).optional(),
});
export type HealthPolicy = z.infer<typeof HealthPolicy>;

/** What a background session is held to. Kept in its `metadata` as `policy`. */
export const SessionPolicy = z.strictObject({ health: HealthPolicy.optional() });
export type SessionPolicy = z.infer<typeof SessionPolicy>;

/** What drives background work. Those that are bridges show less: seed 000 says what. */
export const ENGINES = ["native", "claude", "codex"] as const;
export type EngineName = (typeof ENGINES)[number];

/** Said of a session that was told to wait and has not come to a place where it can. */
export const Pausing = z.object({ actor: text, reason: text });
export type Pausing = z.infer<typeof Pausing>;

/** Whether a session that is said to be this works on: a wish that it waits is still a wish. */
export function isPausing(status: SessionStatus): boolean {
  return WORKS[status];
}

/** Total: a new status does not compile until someone decides. */
const WORKS: Readonly<Record<SessionStatus, boolean>> = {
  idle: false,
  queued: true,
  running: true,
  awaiting_approval: true,
  paused: false,
  recovering: true,
  completed: false,
  needs_review: false,
  failed: false,
  cancelled: false,
};

export const KERNEL_EVENTS = {
  "runtime.session.pausing": fact({
    tier: "debug",
    faces: { frontend: "session_pausing", runtime: null },
    doc: "Someone wants the session to wait. What drives it goes on to its next boundary; the `session_state` that says `paused` is the moment it waits. An addition to seed 000.",
    fields: { session_id: text, actor: text, reason: text },
  }),
  "runtime.session.resuming": fact({
    tier: "debug",
    faces: { frontend: "session_resuming", runtime: null },
    doc: "Someone wants the session to go on: it is paused no more, and waits for no time. An addition to seed 000.",
    fields: { session_id: text, actor: text, reason: text },
  }),
  "runtime.session.accepted": fact({
    tier: "default",
    faces: { frontend: null, runtime: null },
    doc: "Someone has looked at work that ended without all that it owes, and says that it is good: it is `completed`. The `session_checkpoint` beside it shows who and why.",
    fields: { session_id: text, actor: text, reason: text },
  }),
};

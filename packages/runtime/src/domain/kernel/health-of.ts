import type { HealthSnapshot, SessionRow } from "@fairlead/contract";
import { policyOf } from "./background.ts";

/** What each state takes from a full score. */
const COSTS: Readonly<Record<SessionRow["status"], number>> = {
  idle: 0,
  queued: 0,
  running: 0,
  awaiting_approval: 0,
  paused: 0,
  completed: 0,
  cancelled: 0,
  needs_review: 20,
  recovering: 30,
  failed: 60,
};
const COST_OF_AN_ATTEMPT = 10;
const MOST_FOR_ATTEMPTS = 30;

const HINTS: Partial<Record<SessionRow["status"], string>> = {
  awaiting_approval: "Decide what is asked: `GET /approvals`.",
  paused: "Go on with it: `POST /sessions/{id}/resume`.",
  recovering: "It is tried again by itself; `POST /sessions/{id}/resume` tries it now.",
  needs_review: "Look at what it made; `POST /sessions/{id}/resume` lets it go on.",
  failed: "`last_error` says why. Mend that, then `POST /sessions/{id}/resume`.",
};

/** How a session fares, as far as its row says. */
export function healthOf({ session_id, status, state }: SessionRow): HealthSnapshot {
  const attempts = Math.max(0, (state?.attempt_count ?? 0) - 1);
  const parts = {
    state: -COSTS[status],
    attempts: -Math.min(MOST_FOR_ATTEMPTS, attempts * COST_OF_AN_ATTEMPT),
  };
  const flags = [
    ...(status === "awaiting_approval" || status === "paused" ? ["waiting"] : []),
    ...(status === "recovering" || status === "failed" || attempts > 0 ? ["degraded"] : []),
  ];
  return {
    session_id,
    score: Math.max(0, 100 + parts.state + parts.attempts),
    score_parts: parts,
    flags,
    status,
    recovery_hint: HINTS[status] ?? null,
    policy: { health: { ...policyOf(state ?? {}).health }, enforcement: {} },
  };
}

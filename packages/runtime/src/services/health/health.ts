import type { HealthSnapshot, SessionId, SessionRow } from "@fairlead/contract";
import { type CarriedHealth, freshSnapshot, type HealthRow, SNAPSHOT } from "../../domain/health/row.ts";
import { healthAt } from "../../domain/health/snapshot.ts";
import { overTime, runsOver } from "../../domain/health/tree.ts";
import { policyOf } from "../../domain/kernel/background.ts";
import { everyRow } from "../rows.ts";
import { enforceParked, type ParkedDeps } from "./enforce-parked.ts";
import { loadHealth } from "./load.ts";

export interface HealthDeps extends ParkedDeps {
  /** Told of what cannot be put in the log. Must not throw. */
  readonly report: (error: unknown) => void;
}

/** How sessions fare: read at any time, and kept in the log when it is something else. */
export interface Health {
  of(row: Pick<SessionRow, "session_id" | "status" | "state">): Promise<HealthSnapshot>;
  /** Writes the snapshot down, where it is news and nobody has. Whoever drives a session does this by itself. */
  record(session: SessionId): Promise<boolean>;
  /** Writes down what time alone, or somebody who drives nothing, has changed. */
  recordDue(): Promise<number>;
  nextDue(): Promise<number | null>;
}

const TRIES = 4;

export function createHealth(deps: HealthDeps): Health {
  const { log, clock, report } = deps;
  async function record(session: SessionId): Promise<boolean> {
    for (let tries = 0; tries < TRIES; tries++) {
      const head = await log.stream(session);
      if (head === undefined || head.state === "purged") return false;
      const data = freshSnapshot(session, await loadHealth(log, session), clock.now());
      if (data === undefined) return false;
      const appended = await log.append({
        writes: [
          { stream: session, events: [{ type: SNAPSHOT, data }], guard: { expectedSeq: head.head_seq } },
        ],
      });
      if (appended.ok) return true;
      // Somebody writes at this moment: what they wrote may be the news.
      if (appended.refusal.code !== "seq_conflict") return false;
    }
    return false;
  }

  return {
    async of({ session_id, status, state }) {
      const health = withRow(await loadHealth(log, session_id), { status, state });
      return healthAt(session_id, health.state, clock.now());
    },
    record,
    async recordDue() {
      let found = 0;
      for await (const { session_id, due } of everyRow<HealthRow>(log, "health", { state: ["due"] })) {
        if (due > clock.now()) continue;
        try {
          // Its minutes are over while it waits for its sub-agents: it is due until that is on record.
          await enforceParked(deps, session_id, (state) =>
            runsOver(state, clock.now()) ? overTime(state, clock.now()) : [],
          );
          if (await record(session_id)) found += 1;
        } catch (error) {
          report(error);
        }
      }
      return found;
    },
    async nextDue() {
      let next: number | null = null;
      for await (const { due } of everyRow<HealthRow>(log, "health", { state: ["due"] }))
        next = Math.min(next ?? due, due);
      return next;
    },
  };
}

/** Of a session that is older than its health row, the session's own row says the least that must be known. */
function withRow(
  health: CarriedHealth,
  { status, state }: Pick<SessionRow, "status" | "state">,
): CarriedHealth {
  if (health.seq > 0) return { ...health, state: { ...health.state, status } };
  const policy = policyOf(state ?? {}).health ?? {};
  const attempts = state?.attempt_count ?? 0;
  return { ...health, state: { ...health.state, status, policy, attempts } };
}

import type { HealthSnapshot, NewEvent, SessionId, SessionRow } from "@fairlead/contract";
import { type CarriedHealth, freshSnapshot, type HealthRow, SNAPSHOT } from "../../domain/health/row.ts";
import { healthAt } from "../../domain/health/snapshot.ts";
import { overTime, runsOver } from "../../domain/health/tree.ts";
import { policyOf } from "../../domain/kernel/background.ts";
import type { Clock } from "../../ports/clock.ts";
import type { EventLog } from "../../ports/event-log.ts";
import { everyRow } from "../rows.ts";
import { overEvents } from "./above.ts";
import { loadHealth } from "./load.ts";

export interface HealthDeps {
  readonly log: EventLog;
  readonly clock: Clock;
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

export function createHealth({ log, clock, report }: HealthDeps): Health {
  /** Appends what `make` says of the session as it is; whether it said anything. */
  async function append(
    session: SessionId,
    make: (health: CarriedHealth) => readonly NewEvent[],
  ): Promise<boolean> {
    for (let tries = 0; tries < TRIES; tries++) {
      const head = await log.stream(session);
      if (head === undefined || head.state === "purged") return false;
      const events = make(await loadHealth(log, session));
      if (events.length === 0) return false;
      const appended = await log.append({
        writes: [{ stream: session, events, guard: { expectedSeq: head.head_seq } }],
      });
      if (appended.ok) return true;
      // Somebody writes at this moment: what they wrote may be the news.
      if (appended.refusal.code !== "seq_conflict") return false;
    }
    return false;
  }

  /** Its minutes are over while it waits for its sub-agents. It is due until this is on record. */
  function holdOver(session: SessionId): Promise<boolean> {
    return append(session, ({ state }) => {
      const now = clock.now();
      return runsOver(state, now) ? overEvents(session, state, overTime(state, now)) : [];
    });
  }

  function record(session: SessionId): Promise<boolean> {
    return append(session, (health) => {
      const data = freshSnapshot(session, health, clock.now());
      return data === undefined ? [] : [{ type: SNAPSHOT, data }];
    });
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
          await holdOver(session_id);
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

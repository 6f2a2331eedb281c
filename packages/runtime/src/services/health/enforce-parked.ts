import type { NewEvent, SessionId } from "@fairlead/contract";
import { escalationOf } from "../../domain/approval/mode.ts";
import { enforcedEvent, HEALTH_ORIGIN } from "../../domain/health/enforced.ts";
import type { Crossing, HealthState } from "../../domain/health/state.ts";
import { policyOf } from "../../domain/kernel/background.ts";
import { movedEvents } from "../../domain/kernel/session-events.ts";
import { type StoredSession, stateOf } from "../../domain/session.ts";
import type { EventLog } from "../../ports/event-log.ts";
import type { Ids } from "../../ports/ids.ts";
import { appendBeside } from "../delegation/append.ts";
import { wordsBelow } from "../delegation/hold.ts";
import { lastCheckpoint } from "../kernel/context.ts";
import { modesFrom } from "../loop/context.ts";
import { inWords } from "../../domain/health/in-words.ts";
import { type Asking, limitQuestion } from "./enforce.ts";
import { loadHealth } from "./load.ts";

export interface ParkedDeps extends Asking {
  readonly log: EventLog;
  readonly ids: Ids;
}

const TRIES = 4;

/**
 * Enforces the policy of background work that waits for its sub-agents, and that nobody drives: a person is asked, or it is
 * paused, in one commit with the word to the sub-agents that they wait too. `over`: what is crossed. Whether it was done;
 * not where somebody has the session, or it has been enforced and nobody has had their say.
 */
export async function enforceParked(
  deps: ParkedDeps,
  session: SessionId,
  over: (state: HealthState) => readonly Crossing[],
): Promise<boolean> {
  const { log } = deps;
  for (let tries = 0; tries < TRIES; tries++) {
    const head = await log.stream(session);
    const { state } = await loadHealth(log, session);
    const row = await log.row<StoredSession>("session", session);
    if (head === undefined || row === undefined || !isWaiting(row, state)) return false;
    const crossed = over(state);
    if (crossed.length === 0) return false;
    const reason = inWords(crossed);
    const word = { type: "runtime.session.pausing", actor: HEALTH_ORIGIN, reason } as const;
    const events = await eventsOf(deps, row, crossed, reason);
    const own = { stream: session, events, guard: { expectedSeq: head.head_seq } };
    const appended = await appendBeside(log, own, await wordsBelow(log, session, word));
    if (appended.ok) return true;
    // Somebody writes at this moment: it may be driven by now.
    if (appended.refusal.code !== "seq_conflict") return false;
  }
  return false;
}

function isWaiting({ turn, status }: StoredSession, { background, delegating, enforcement }: HealthState) {
  return (
    background &&
    delegating &&
    turn.state === "parked" &&
    status === "running" &&
    enforcement?.outcome !== "open"
  );
}

async function eventsOf(
  deps: ParkedDeps,
  row: StoredSession,
  crossed: readonly Crossing[],
  reason: string,
): Promise<readonly NewEvent[]> {
  const { log, ids, clock } = deps;
  const state = stateOf(row);
  const { session_id } = row;
  const { action = "approval_request" } = policyOf(state).health ?? {};
  const asks = action !== "pause" && escalationOf(modesFrom(state).approval_mode, reason).kind === "ask";
  const after = await lastCheckpoint({ log }, session_id);
  const moved = { state, at: new Date(clock.now()).toISOString(), after };
  if (!asks)
    return [
      enforcedEvent({ action: "pause", crossed, reason }),
      { type: "runtime.session.pausing", data: { session_id, actor: HEALTH_ORIGIN, reason } },
      ...movedEvents({
        ...moved,
        to: "paused",
        type: "paused",
        summary: `Paused by ${HEALTH_ORIGIN}: ${reason}`,
        changes: { resume_context: { kind: "paused", actor: HEALTH_ORIGIN, reason } },
      }),
    ];
  const request_id = ids.next("question");
  const question = limitQuestion(deps, { request_id, crossed, reason });
  return [
    enforcedEvent({ action: "approval_request", crossed, reason, request_id }),
    { ...question, turn_id: row.turn.turn_id },
    ...movedEvents({
      ...moved,
      to: "awaiting_approval",
      type: "approval",
      summary: "Waits for a person to decide.",
      changes: {
        approval_request_id: request_id,
        resume_context: { kind: "approval", request_ids: [request_id] },
      },
    }),
  ];
}

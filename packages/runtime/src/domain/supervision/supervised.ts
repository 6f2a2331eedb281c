import type { AgentInfo, RunStatus } from "@fairlead/ahp";
import type { NewEvent, SessionId, SessionState, SessionStatus } from "@fairlead/contract";
import { hashJson } from "../canonical.ts";
import type { Actor } from "../actor.ts";
import { isPlain, isReservedAlias, isStreamId } from "@fairlead/contract";

const LONGEST_ALIAS = 200;
const LONGEST_TITLE = 80;

/** Finds the session of an agent again, also after a restart. Another generation follows one that was purged. */
export function supervisedKey(actor: Actor, agentSession: string, generation: number): string {
  return `supervised:${hashJson([actor.project, actor.name, agentSession])}:${generation}`;
}

/** The agent's own name for the session, where it can be one for us. */
export function aliasOf(agentSession: string): string | null {
  const fits = agentSession !== "" && agentSession.length <= LONGEST_ALIAS && isPlain(agentSession);
  return fits && !isStreamId(agentSession) && !isReservedAlias(agentSession) ? agentSession : null;
}

export interface NewSupervised {
  readonly session_id: SessionId;
  readonly agentSession: string;
  readonly alias: string | null;
  readonly agent_id: string;
  readonly agent: AgentInfo | undefined;
}

export function supervisedState(session: NewSupervised): SessionState {
  const { session_id, agentSession, alias, agent_id, agent } = session;
  return {
    session_id,
    status: "running",
    kind: "supervised",
    title: `${agent_id} · ${agentSession}`.slice(0, LONGEST_TITLE),
    ...(alias === null ? {} : { aliases: [alias] }),
    agent_profile: agent_id.slice(0, LONGEST_ALIAS),
    engine: agent === undefined ? null : `${agent.framework} ${agent.version}`.slice(0, LONGEST_ALIAS),
    runner_kind: "ahp",
  };
}

export function stateEvent(state: SessionState): NewEvent {
  return { type: "runtime.session.state", data: state };
}

/** What a run's status makes of the session's; a run that ended may be followed by another. */
export const STATUS_OF_RUN: Record<RunStatus, SessionStatus> = {
  created: "running",
  planning: "running",
  executing: "running",
  verifying: "running",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
};

import type { QueryParams, QueryResult } from "@fairlead/ahp";
import type { Actor } from "../domain/actor.ts";
import { historyOf, statsOf, usedBy } from "../domain/supervision/tally.ts";
import type { Clock } from "../ports/clock.ts";
import type { External } from "../services/supervision/external.ts";
import type { SupervisionLimits } from "../services/supervision/limits.ts";
import type { Rules } from "../services/supervision/rules.ts";
import type { Services } from "../services/types.ts";
import type { AgentSessions, Supervised } from "./sessions.ts";

export interface QueryDeps {
  readonly services: Pick<Services, "sessions" | "questions">;
  readonly sessions: AgentSessions;
  readonly rules: Rules;
  readonly externals: readonly External[];
  readonly limits: SupervisionLimits;
  readonly clock: Clock;
}

const MOST_PENDING = 100;

/** Answers what agents may know: about their own session, and the rules they live by. */
export function createQueries({ services, sessions, rules, externals, limits, clock }: QueryDeps) {
  async function sessionState({ actor, stream, tally }: Supervised): Promise<unknown> {
    const { session_id, status, kind, title, created_at, updated_at, head_seq } = await services.sessions.get(
      actor,
      stream,
    );
    const stats = statsOf(tally, clock.now());
    return {
      session_id,
      status,
      kind,
      title,
      created_at,
      updated_at,
      head_seq,
      stats,
      history: historyOf(tally),
    };
  }

  async function pendingApprovals({ actor, stream }: Supervised): Promise<unknown> {
    const query = { session_id: stream, state: "pending", kind: "approval", limit: MOST_PENDING };
    const { rows } = await services.questions.list(actor, query);
    return rows.map(({ request_id, tool_name, reason, risk, asked_at, expires_at, shown_hash }) => ({
      request_id,
      tool_name,
      reason,
      risk,
      asked_at,
      expires_at,
      shown_hash,
    }));
  }

  function policy(): unknown {
    const supervisors = externals.map(({ name, circuit }) => ({ name, circuit: circuit.state }));
    return { rule_set_hash: rules.hash, rules: rules.count, supervisors };
  }

  function budget({ tally }: Supervised): unknown {
    return { limits: limits.budget, used: usedBy(tally, clock.now()) };
  }

  /** About a session; null before it has one. */
  const ABOUT_SESSION: Readonly<Record<string, (session: Supervised) => unknown>> = {
    session_state: sessionState,
    pending_approvals: pendingApprovals,
    budget,
  };
  const KNOWN = [...Object.keys(ABOUT_SESSION), "policy"];

  return async (actor: Actor, { query_type, session_id }: QueryParams): Promise<QueryResult> => {
    if (query_type === "policy") return { answer: policy() };
    const about = Object.hasOwn(ABOUT_SESSION, query_type) ? ABOUT_SESSION[query_type] : undefined;
    if (about === undefined) {
      const reason = `There is no query ${JSON.stringify(query_type.slice(0, 100))} here.`;
      return { answer: null, reason, alternatives: KNOWN };
    }
    const session = await sessions.find(actor, session_id);
    if (session === undefined) return { answer: null, reason: "Nothing was recorded for this session yet." };
    return { answer: (await about(session)) ?? null };
  };
}

import type { FrontendFrame, FrontendPayload } from "../frames.ts";
import { record, text, worded } from "./words/json.ts";

type Said = FrontendPayload<"subagent_event">;

/** A sub-agent, as the last event about it left it. */
export interface Agent extends Said {
  readonly seq: number;
  readonly at: string;
  /** A few words for people, where who delegated it gave some. */
  readonly title: string | null;
  /** What it asks and nobody has decided. */
  readonly questions: readonly AgentQuestion[];
}

export interface AgentQuestion {
  readonly request_id: string;
  readonly tool_name: string;
  readonly reason: string;
}

const MOST = 100;
export const ENDS: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);

/** After one more event about one of them, each in its place. */
export function withAgent(
  agents: readonly Agent[],
  said: Said,
  { seq, at }: Pick<FrontendFrame, "seq" | "at">,
): readonly Agent[] {
  const place = agents.findIndex(({ agent_id }) => agent_id === said.agent_id);
  const before = agents[place];
  // Of a decision, of what was said with a question and of a time that it waited for, nothing holds for what comes after.
  const { decision: _, reason: _reason, until: _until, ...known } = before ?? said;
  const title = text(record(said.details)["title"]) ?? before?.title ?? null;
  const agent = { ...known, ...said, title, questions: questionsOf(before?.questions ?? [], said), seq, at };
  return before === undefined ? [...agents, agent].slice(-MOST) : agents.with(place, agent);
}

/** All were told to go on, whatever time they waited for. */
export function hastened(agents: readonly Agent[]): readonly Agent[] {
  return agents.map(({ until: _, ...agent }) => agent);
}

const STATUSES: Readonly<Record<string, string>> = {
  running: "goes on",
  awaiting_approval: "asks for a decision",
  waiting: "waits for a time",
};

/** How a sub-agent stands, in words. */
export function agentStatus(status: string): string {
  return Object.hasOwn(STATUSES, status) ? STATUSES[status]! : worded(status);
}

/** What it has come to by now, said while it works. */
export function isSoFar({ status, tokens, measured }: Said): boolean {
  return status === "running" && (tokens !== undefined || measured !== undefined);
}

export function usedInWords({ tokens }: Said): string | undefined {
  return tokens === undefined ? undefined : `${tokens} tokens are used by now.`;
}

function questionsOf(before: readonly AgentQuestion[], said: Said): readonly AgentQuestion[] {
  const { status, request_id, decision, tool_name = "", reason = "" } = said;
  if (ENDS.has(status)) return [];
  if (request_id === undefined) return before;
  const others = before.filter((one) => one.request_id !== request_id);
  const open = status === "awaiting_approval" && decision === undefined;
  return open ? [...others, { request_id, tool_name, reason }] : others;
}

export interface AgentTree {
  readonly agent: Agent;
  readonly below: readonly AgentTree[];
}

/** Who delegated to whom. One whose delegator is not among them stands at the top; none is left out nor shown twice. */
export function agentTree(agents: readonly Agent[]): readonly AgentTree[] {
  const sessions = new Set(agents.flatMap(({ session_id }) => session_id ?? []));
  const placed = new Set<string>();
  const grow = (agent: Agent): AgentTree => {
    placed.add(agent.agent_id);
    const isBelow = ({ agent_id, parent_session_id }: Agent): boolean =>
      parent_session_id === agent.session_id && !placed.has(agent_id);
    // Looked at one by one: in a circle, one may have been placed further down meanwhile.
    return { agent, below: agents.flatMap((one) => (isBelow(one) ? [grow(one)] : [])) };
  };
  const tops = agents.filter(({ parent_session_id }) => !sessions.has(parent_session_id)).map(grow);
  const rest = agents.flatMap((agent) => (placed.has(agent.agent_id) ? [] : [grow(agent)]));
  return [...tops, ...rest];
}

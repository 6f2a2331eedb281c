import {
  type AnyEvent,
  type EventData,
  type NewEvent,
  type SessionId,
  type SessionRow,
  type SessionSettings,
  type SessionState,
  NATIVE_AGENT,
  isId,
  isPausing,
  shownStatus,
} from "@fairlead/contract";
import type { StreamInfo } from "../ports/event-log.ts";
import type { Projection } from "../ports/projection.ts";
import { isEnd } from "./delegation/status.ts";
import { is } from "./event.ts";
import { withoutQuestion } from "./kernel/decided.ts";
import { sessionMarks } from "./session-marks.ts";
import { NO_TURN, type TurnSlot, endOf, evolveTurn, isOpen } from "./turn.ts";

/** The row as kept: what is served, the turn as its decider needs it, and what a foreign agent waits for. */
export type StoredSession = SessionRow & {
  readonly turn: TurnSlot;
  readonly waiting?: readonly string[];
  /** What somebody chose: holds over what a driver says that has not heard of it yet. */
  readonly chosen?: SessionSettings;
};

export interface NewSession {
  readonly session_id: SessionId;
  readonly kind: string;
  readonly title: string | null;
  readonly alias: string | null;
  readonly provider: string;
  readonly model: string;
  readonly settings?: SessionSettings;
  /** The directory that it was started in, where one was chosen. */
  readonly source?: string;
  readonly sandbox?: Pick<SessionState, "sandbox_mode" | "sandbox_isolation">;
  readonly cause: string | null;
}

/** What holds when nobody chose: what the loop would take unset modes for. */
const UNCHOSEN = { permission_mode: "normal", approval_mode: "on_request", think_level: "off" } as const;

/** By what a turn's modes are found, in seed 000's words. */
export const POLICY_PATH = "execution_mode -> approval_policy -> runtime_callbacks";

/** A session begins with its first state: every field that seed 000 has for all, null where it is not known. */
export function createSession(session: NewSession): NewEvent {
  const {
    session_id,
    kind,
    title,
    alias,
    provider,
    model,
    settings = {},
    sandbox = {},
    source,
    cause,
  } = session;
  const aliases = alias === null ? {} : { aliases: [alias] };
  return {
    type: "runtime.session.state",
    cause,
    data: {
      session_id,
      status: "idle",
      kind,
      title,
      ...aliases,
      provider,
      model,
      agent_profile: NATIVE_AGENT,
      ...UNCHOSEN,
      policy_path: POLICY_PATH,
      sandbox_mode: null,
      sandbox_isolation: null,
      ...sandbox,
      ...(source === undefined ? {} : { workspace: source, workspace_source: source }),
      ...settings,
    },
  };
}

/** What the next state is made from. Fields that a newer writer added are carried on. */
export function stateOf(row: StoredSession): SessionState {
  return row.state ?? { session_id: row.session_id, status: row.status, kind: row.kind };
}

export function toSessionRow(row: StoredSession, head_seq: number): SessionRow {
  const { turn, waiting: _waiting, chosen: _chosen, ...served } = row;
  const last_turn = endOf(turn);
  return { ...served, ...(last_turn === null ? {} : { last_turn }), head_seq };
}

/** What it says of itself is older than the event, and that than the commit: nothing is changed before it is made. */
function madeAt(event: AnyEvent, { created_at }: StreamInfo): string {
  const said = is(event, "runtime.session.state") ? (event.data.updated_at ?? event.at) : event.at;
  return [created_at, event.at, said].reduce((a, b) => (Date.parse(b) < Date.parse(a) ? b : a));
}

function initial(id: SessionId, event: AnyEvent, stream: StreamInfo): StoredSession {
  return {
    session_id: id,
    kind: stream.kind,
    status: "idle",
    title: null,
    project: stream.project,
    owner: stream.owner,
    created_by: stream.created_by,
    turn_id: null,
    head_seq: event.seq,
    created_at: madeAt(event, stream),
    updated_at: event.at,
    aliases: [],
    parent_session_id: stream.parent,
    state: null,
    turn: NO_TURN,
  };
}

function withState(row: StoredSession, said: SessionState): StoredSession {
  const state = { ...said, ...row.chosen };
  return {
    ...row,
    state,
    status: state.status,
    kind: state.kind ?? row.kind,
    title: state.title ?? row.title,
    aliases: state.aliases ?? row.aliases,
    parent_session_id: row.parent_session_id ?? state.delegation?.parent_session_id ?? null,
  };
}

/** A session that we do not drive has no turn to wait: it waits while a question of its agent is open. */
function withWaiting(row: StoredSession, event: AnyEvent, stream: StreamInfo): StoredSession {
  if (stream.kind !== "supervised") return row;
  let { waiting = [] } = row;
  if (is(event, "runtime.question.asked")) waiting = [...waiting, event.data.request_id];
  if (is(event, "runtime.question.decided")) {
    waiting = waiting.filter((request_id) => request_id !== event.data.request_id);
  }
  const status = waiting.length > 0 ? "awaiting_approval" : (row.state?.status ?? row.status);
  return { ...row, waiting, status };
}

/**
 * While sub-agents work, the session above waits for what people decide there. Background work says its states itself:
 * what may be done with it follows from them.
 */
function withSubagents(row: StoredSession, event: AnyEvent, stream: StreamInfo): StoredSession {
  if (stream.kind !== "chat" && stream.kind !== "subagent") return row;
  const before = row.waiting ?? [];
  const waiting = is(event, "runtime.subagent.event") ? askedBelow(before, event.data) : before;
  if (waiting.length === 0 && before.length === 0) return row;
  const own = row.state?.status ?? row.status;
  return { ...row, waiting, status: waiting.length > 0 && own === "running" ? "awaiting_approval" : own };
}

/** The open questions of sub-agents, each with whose it is. */
export function askedBelow(
  before: readonly string[],
  { agent_id, status, request_id, decision }: EventData<"runtime.subagent.event">,
): readonly string[] {
  if (isEnd(status)) return before.filter((one) => !one.startsWith(`${agent_id} `));
  if (request_id === undefined) return before;
  const name = `${agent_id} ${request_id}`;
  const others = before.filter((one) => one !== name);
  return decision === undefined ? [...others, name] : others;
}

/** Shown at once, also while nobody says a new state. */
function withChoice(row: StoredSession, changes: SessionSettings): StoredSession {
  const chosen = { ...row.chosen, ...changes };
  return { ...row, chosen, state: row.state === null ? null : { ...row.state, ...changes } };
}

/** Each step that background work reports shows that somebody drives it. */
function withHeartbeat(row: StoredSession, event: AnyEvent): StoredSession {
  if (!is(event, "agent.step.progress") || row.state === null) return row;
  return { ...row, state: { ...row.state, last_heartbeat_at: event.at } };
}

/** Shown at once: who goes on with it may come much later. */
function withDecision(row: StoredSession, event: AnyEvent): StoredSession {
  if (!is(event, "runtime.question.decided") || row.state === null) return row;
  return { ...row, state: withoutQuestion(row.state, event.data.request_id) };
}

/** That somebody wants it to wait is shown until it does, ends, or they want otherwise. */
function withPausing(row: StoredSession, event: AnyEvent): StoredSession {
  const { pausing, ...rest } = row;
  if (is(event, "runtime.session.resuming") || !isPausing(row.status)) return rest;
  if (!is(event, "runtime.session.pausing")) return row;
  const { actor, reason } = event.data;
  return { ...rest, pausing: pausing ?? { actor, reason } };
}

export const sessionProjection: Projection<StoredSession> = {
  kind: "session",
  types: [
    "runtime.session.state",
    "runtime.session.configured",
    "runtime.session.pausing",
    "runtime.session.resuming",
    "runtime.session.checkpoint",
    "runtime.request.started",
    "runtime.turn.ended",
    "runtime.question.asked",
    "runtime.question.decided",
    "runtime.subagent.event",
    "agent.step.progress",
  ],
  key: (event) => (isId("session", event.stream) ? event.stream : null),
  evolve(row, event, stream) {
    const before = row ?? initial(stream.id as SessionId, event, stream);
    const turn = evolveTurn(before.turn, event);
    const chosen = is(event, "runtime.session.configured") ? withChoice(before, event.data.changes) : before;
    const stated = is(event, "runtime.session.state") ? withState(chosen, event.data) : chosen;
    const waiting = withSubagents(withWaiting(stated, event, stream), event, stream);
    const after = withPausing(withDecision(withHeartbeat(waiting, event), event), event);
    return {
      ...after,
      turn,
      turn_id: isOpen(turn) ? turn.turn_id : null,
      head_seq: event.seq,
      updated_at: event.at,
    };
  },
  state: (row) => shownStatus(row.status, endOf(row.turn)),
  at: (row) => Date.parse(row.updated_at),
  marks: sessionMarks,
};

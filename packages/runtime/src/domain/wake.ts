import type { AnyEvent, SessionId, SessionStatus, Wait } from "@fairlead/contract";
import type { Projection } from "../ports/projection.ts";
import { isEnd } from "./delegation/status.ts";
import { is } from "./event.ts";
import { HEALTH_ORIGIN } from "./health/enforced.ts";
import { BACKGROUND, NATIVE } from "./kernel/background.ts";
import { ENDED } from "./kernel/table.ts";

/** Whether a session has something to go on with, so that those that have are found without looking at all. */
export interface Wake {
  readonly session_id: SessionId;
  readonly turn: "none" | "running" | "parked";
  /** What a parked turn still waits for. */
  readonly waits: readonly Wait[];
  /** Requests that wait for the turn to end. */
  readonly held: readonly string[];
  /** Questions decided, and sub-agents ended, while the turn ran: it does not wait for them when it is parked a moment later. */
  readonly decided?: readonly string[];
  /** Of background work and sub-agents: what it is said to be, and whether somebody wants it to wait. */
  readonly status?: SessionStatus;
  readonly paused?: boolean;
  /** Which machine has the files that it works on; unset where any process can go on with it. */
  readonly host?: string;
  /** What drives it, where that is not our own loop: nothing else takes it up. */
  readonly engine?: string;
  /** Of a sub-agent: whether what was delegated to it is done. Nobody makes it wait then. */
  readonly delegated?: "open" | "done";
  readonly at: number;
}

/** `ready`: a parked turn can go on. `timer`: it can when its time comes, which is the row's `at`. `held`: the next turn can begin. */
export type WakeState = "idle" | "running" | "waiting" | "timer" | "ready" | "held";

export function wakeState({ turn, waits, held, paused, status }: Wake): WakeState {
  // Until its state says so, somebody has to write it down.
  if (paused === true && turn !== "running" && !hasEnded(status))
    return status === "paused" ? "waiting" : "ready";
  if (paused === false && turn !== "running" && status === "paused") return "ready";
  if (turn === "none") return held.length > 0 ? "held" : "idle";
  if (turn === "running") return "running";
  if (waits.length === 0) return "ready";
  return waits.every(({ kind }) => kind === "timer") ? "timer" : "waiting";
}

/** When the last of the timers is over. */
export function dueAt({ waits }: Pick<Wake, "waits">): number {
  return Math.max(0, ...waits.map((wait) => (wait.kind === "timer" ? Date.parse(wait.until) : 0)));
}

/** Of chats no status is kept. */
export function isBackgroundRow({ status, delegated }: Wake): boolean {
  return status !== undefined && delegated === undefined;
}

function hasEnded(status: SessionStatus | undefined): boolean {
  return status !== undefined && ENDED.has(status);
}

function evolve(row: Wake, event: AnyEvent): Wake {
  if (is(event, "runtime.session.state")) {
    const { status, kind, workspace_host, engine } = event.data;
    const host = workspace_host == null ? {} : { host: workspace_host };
    if (!KEPT.has(kind ?? "")) return { ...row, ...host };
    const driver = engine == null || engine === NATIVE ? {} : { engine };
    return {
      ...row,
      status,
      ...host,
      ...driver,
      ...(kind === SUBAGENT ? { delegated: row.delegated ?? "open" } : {}),
    };
  }
  if (is(event, "runtime.session.pausing")) return row.delegated === "done" ? row : { ...row, paused: true };
  if (is(event, "runtime.session.resuming"))
    return { ...row, paused: false, waits: row.waits.filter(({ kind }) => kind !== "timer") };
  if (is(event, "runtime.request.started"))
    return { ...driven(row), held: row.held.filter((id) => id !== event.data.input_id) };
  if (is(event, "runtime.turn.resumed")) return driven(row);
  if (is(event, "runtime.turn.ended")) {
    const { status, waits = [] } = event.data;
    const { decided = [], ...rest } = row;
    const open = waits.filter((wait) => !decided.includes(nameOf(wait) ?? ""));
    return status === "parked"
      ? { ...rest, turn: "parked", waits: open }
      : { ...done(rest), turn: "none", waits: [] };
  }
  if (is(event, "runtime.question.asked"))
    return row.turn === "parked"
      ? { ...row, waits: [{ kind: "question", request_id: event.data.request_id }] }
      : row;
  if (is(event, "runtime.question.decided")) return without(row, event.data.request_id);
  if (is(event, "runtime.subagent.event"))
    return isEnd(event.data.status) ? without(row, event.data.session_id) : row;
  if (is(event, "runtime.turn.cancelling")) return { ...row, waits: [] };
  if (is(event, "runtime.input.queued")) return { ...row, held: [...row.held, event.data.input_id] };
  if (is(event, "runtime.input.taken"))
    return { ...row, held: row.held.filter((id) => id !== event.data.input_id) };
  return row;
}

/** What waits are told apart by; null for what only time ends. */
function nameOf(wait: Wait): string | null {
  if (wait.kind === "timer") return null;
  return wait.kind === "question" ? wait.request_id : wait.session_id;
}

/** This need not be waited for any more. */
function without(row: Wake, name: string | undefined): Wake {
  if (name === undefined) return row;
  if (row.turn === "running") return { ...row, decided: [...(row.decided ?? []), name] };
  return { ...row, waits: row.waits.filter((wait) => nameOf(wait) !== name) };
}

/** What was delegated is over with the first turn. */
function done({ paused, ...row }: Wake): Wake {
  if (row.delegated !== undefined) return { ...row, delegated: "done" };
  return { ...row, ...(paused === undefined ? {} : { paused }) };
}

function driven({ decided: _, ...row }: Wake): Wake {
  return { ...row, turn: "running", waits: [] };
}

const SUBAGENT = "subagent";
const KEPT: ReadonlySet<string> = new Set([BACKGROUND, SUBAGENT]);

export const wakeProjection: Projection<Wake> = {
  kind: "wake",
  types: [
    "runtime.session.state",
    "runtime.session.pausing",
    "runtime.session.resuming",
    "runtime.request.started",
    "runtime.turn.resumed",
    "runtime.turn.ended",
    "runtime.turn.cancelling",
    "runtime.question.asked",
    "runtime.question.decided",
    "runtime.subagent.event",
    "runtime.input.queued",
    "runtime.input.taken",
  ],
  key: (event) => {
    // The state of a chat says nothing that is needed here, but where its files are.
    if (is(event, "runtime.session.state") && !KEPT.has(event.data.kind ?? "") && !event.data.workspace_host)
      return null;
    // What a turn asks while it is driven is among the waits that it is parked with.
    if (is(event, "runtime.question.asked") && event.data.origin !== HEALTH_ORIGIN) return null;
    return event.stream.startsWith("ses_") ? event.stream : null;
  },
  evolve(row, event, stream) {
    const before = row ?? { session_id: stream.id as SessionId, turn: "none", waits: [], held: [], at: 0 };
    const after = evolve(before, event);
    const due = dueAt(after);
    return { ...after, at: due === 0 ? Date.parse(event.at) : due };
  },
  state: wakeState,
  at: (row) => row.at,
};

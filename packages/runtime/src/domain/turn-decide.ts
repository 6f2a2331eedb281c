import type {
  EventId,
  InputId,
  NewEvent,
  SessionState,
  TurnFailure,
  TurnStatus,
  Wait,
} from "@fairlead/contract";
import type { Refusal } from "../ports/event-log.ts";
import { type TurnSlot, TURN_TABLE } from "./turn.ts";

/** The agent that drives turns of our own. */
export const OWN_AGENT = "fairlead";

interface StartTurn {
  readonly kind: "start";
  readonly turn_id: string;
  /** Given beforehand, so that the events of the same commit can name it as their cause. */
  readonly started: EventId;
  readonly input: string;
  /** Who asked for it, where that is known. */
  readonly actor?: string;
  /** What may be shown of the input: names a session that nobody named. */
  readonly shown?: string;
  readonly tools: readonly string[];
  readonly process_id: string;
  /** The key of the command, where the caller gave one. */
  readonly cause: string | null;
  /** Of a request that had to wait. */
  readonly input_id?: InputId;
}

interface ResumeTurn {
  readonly kind: "resume";
  readonly process_id: string;
  readonly attempt: number;
  readonly reason: string;
}

export interface ParkTurn {
  readonly kind: "park";
  readonly waits: readonly Wait[];
  readonly reason: string;
}

export interface CompleteTurn {
  readonly kind: "complete";
  readonly output: string;
  /** Why the answer ended, where that is not simply that it was done. */
  readonly reason?: string;
}

export interface FailTurn {
  readonly kind: "fail";
  readonly code: TurnFailure;
  readonly error: string;
}

export interface CancelTurn {
  readonly kind: "cancel";
  readonly reason?: string;
  /** Who wants it to end. */
  readonly actor?: string;
}

export type EndTurn = CompleteTurn | FailTurn | CancelTurn;
export type AnyTurnCommand = StartTurn | ParkTurn | ResumeTurn | CompleteTurn | FailTurn | CancelTurn;

export type TurnDecision =
  | { readonly ok: true; readonly events: readonly NewEvent[] }
  | { readonly ok: false; readonly refusal: Refusal };

/** What must be known of the session to decide: its turn, and the state that a new one is made from. */
export interface TurnContext {
  readonly turn: TurnSlot;
  readonly state: SessionState;
}

/** The events of one commit, in order, or why there are none. */
export function decideTurn(context: TurnContext, command: AnyTurnCommand): TurnDecision {
  const outcome = TURN_TABLE[context.turn.state][command.kind];
  switch (outcome) {
    case "turn_active":
    case "turn_not_found":
      return { ok: false, refusal: outcome === "turn_active" ? turnActive(context) : NO_OPEN_TURN };
    case "begin":
    case "wait":
    case "go_on":
    case "end":
      return { ok: true, events: eventsOf(context, command) };
  }
}

function eventsOf(context: TurnContext, command: AnyTurnCommand): NewEvent[] {
  switch (command.kind) {
    case "start":
      return begin(context, command);
    case "park":
      return park(context, command);
    case "resume":
      return resume(context, command);
    default:
      return end(context, command);
  }
}

const NO_OPEN_TURN: Refusal = { code: "turn_not_found", message: "The session has no open turn." };

/** Says which turn is in the way, and where it runs. */
export function turnActive({ turn, state }: TurnContext): Refusal {
  const process_id = state.process_id ?? null;
  const where = process_id === null ? "" : `, in process ${process_id}`;
  return {
    code: "turn_active",
    message: `The session has an open turn, ${turn.turn_id}${where}.`,
    details: { turn_id: turn.turn_id, process_id },
  };
}

const TITLE_CHARS = 80;

/** The first line of the first request names a session that nobody named. */
export function titleFrom(input: string): string {
  const line = input.trim().split("\n", 1)[0] ?? "";
  const chars = Array.from(line);
  return chars.length > TITLE_CHARS ? `${chars.slice(0, TITLE_CHARS - 1).join("")}…` : line;
}

function begin({ state }: TurnContext, command: StartTurn): NewEvent[] {
  const { turn_id, started, cause } = command;
  const own = { turn_id, agent_id: OWN_AGENT };
  const next: SessionState = {
    ...state,
    status: "running",
    title: state.title ?? titleFrom(command.shown ?? command.input),
    process_id: command.process_id,
    last_error: null,
    ...waitsNoMore(state),
  };
  return [
    { ...own, type: "runtime.session.state", cause, data: next },
    {
      ...own,
      type: "runtime.request.started",
      id: started,
      cause,
      // What the model is asked again after a restart must be what the person said.
      seal: true,
      data: {
        turn_id,
        input: command.input,
        ...optional("actor", command.actor),
        attempt: 1,
        ...optional("input_id", command.input_id),
      },
    },
    { ...own, type: "runtime.request.tools", cause: started, data: { turn_id, tools: [...command.tools] } },
  ];
}

function ownOf({ turn }: TurnContext) {
  return { turn_id: turn.turn_id ?? "", agent_id: OWN_AGENT, cause: turn.started };
}

function park(context: TurnContext, { waits, reason }: ParkTurn): NewEvent[] {
  const own = ownOf(context);
  const question = waits.find((wait) => wait.kind === "question");
  const next: SessionState = {
    ...context.state,
    status: question === undefined ? unasked(waits) : "awaiting_approval",
    approval_request_id: question?.request_id ?? null,
    process_id: null,
    ...(timerOf(waits, reason) ?? waitsNoMore(context.state)),
  };
  return [
    {
      ...own,
      type: "runtime.turn.ended",
      data: { turn_id: own.turn_id, status: "parked", reason, waits: [...waits] },
    },
    { ...own, type: "runtime.session.state", data: next },
  ];
}

type Context = Pick<SessionState, "resume_context">;

/** What is waited for where nothing but time ends it, and until when. */
function timerOf(waits: ParkTurn["waits"], reason: string): Context | undefined {
  const until = waits.flatMap((wait) => (wait.kind === "timer" ? [wait.until] : [])).at(-1);
  if (until === undefined || waits.some(({ kind }) => kind !== "timer")) return undefined;
  return { resume_context: { kind: "timer", reason, until } };
}

/** What was waited for before holds no more. */
function waitsNoMore({ resume_context }: SessionState): Context {
  return resume_context == null ? {} : { resume_context: null };
}

/** While sub-agents work, the session does. */
function unasked(waits: ParkTurn["waits"]): SessionState["status"] {
  return waits.some(({ kind }) => kind === "session") ? "running" : "queued";
}

function resume(context: TurnContext, { process_id, attempt, reason }: ResumeTurn): NewEvent[] {
  const own = ownOf(context);
  return [
    { ...own, type: "runtime.turn.resumed", data: { turn_id: own.turn_id, attempt, reason } },
    {
      ...own,
      type: "runtime.session.state",
      data: {
        ...context.state,
        status: "running",
        approval_request_id: null,
        process_id,
        ...waitsNoMore(context.state),
      },
    },
  ];
}

function end(context: TurnContext, command: EndTurn): NewEvent[] {
  const { state } = context;
  const own = ownOf(context);
  const { turn_id } = own;
  const idle = (last_error: string | null): NewEvent => ({
    ...own,
    type: "runtime.session.state",
    data: {
      ...state,
      status: "idle",
      process_id: null,
      approval_request_id: null,
      last_error,
      ...waitsNoMore(state),
    },
  });
  const ended = (status: TurnStatus, reason: string | undefined, actor?: string): NewEvent => ({
    ...own,
    type: "runtime.turn.ended",
    data: { turn_id, status, ...optional("reason", reason), ...optional("actor", actor) },
  });
  switch (command.kind) {
    case "complete":
      return [
        ended("completed", command.reason),
        { ...own, type: "runtime.request.completed", data: { turn_id, output: command.output } },
        idle(null),
      ];
    case "fail":
      return [
        ended("failed", command.code),
        {
          ...own,
          type: "runtime.request.failed",
          data: { turn_id, error: command.error, code: command.code },
        },
        idle(command.error),
      ];
    case "cancel":
      return [
        ended("cancelled", command.reason, command.actor),
        {
          ...own,
          type: "runtime.request.cancelled",
          data: { turn_id, ...optional("reason", command.reason) },
        },
        idle(null),
      ];
  }
}

/** Leaves a field out rather than storing that it is not there. */
function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}

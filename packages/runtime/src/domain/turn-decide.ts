import type { EventId, NewEvent, SessionState, TurnFailure } from "@fairlead/contract";
import type { Refusal } from "../ports/event-log.ts";
import { type TurnSlot, TURN_TABLE } from "./turn.ts";

/** The agent that drives turns of our own. */
export const OWN_AGENT = "fairlead";

export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
}

interface StartTurn {
  readonly kind: "start";
  readonly turn_id: string;
  /** Given beforehand, so that the events of the same commit can name it as their cause. */
  readonly started: EventId;
  readonly input: string;
  readonly tools: readonly string[];
  readonly process_id: string;
  /** The key of the command, where the caller gave one. */
  readonly cause: string | null;
}

export interface CompleteTurn {
  readonly kind: "complete";
  readonly output: string;
  /** Why the answer ended, where that is not simply that it was done. */
  readonly reason?: string;
  readonly usage?: Usage;
}

export interface FailTurn {
  readonly kind: "fail";
  readonly code: TurnFailure;
  readonly error: string;
}

export interface CancelTurn {
  readonly kind: "cancel";
  readonly reason?: string;
}

export type AnyTurnCommand = StartTurn | CompleteTurn | FailTurn | CancelTurn;

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
    case "end":
      return { ok: true, events: command.kind === "start" ? begin(context, command) : end(context, command) };
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
function titleFrom(input: string): string {
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
    title: state.title ?? titleFrom(command.input),
    process_id: command.process_id,
    last_error: null,
  };
  return [
    { ...own, type: "runtime.session.state", cause, data: next },
    {
      ...own,
      type: "runtime.request.started",
      id: started,
      cause,
      data: { turn_id, input: command.input, attempt: 1 },
    },
    { ...own, type: "runtime.request.tools", cause: started, data: { turn_id, tools: [...command.tools] } },
  ];
}

function end({ turn, state }: TurnContext, command: Exclude<AnyTurnCommand, StartTurn>): NewEvent[] {
  const turn_id = turn.turn_id ?? "";
  const own = { turn_id, agent_id: OWN_AGENT, cause: turn.started };
  const idle = (last_error: string | null): NewEvent => ({
    ...own,
    type: "runtime.session.state",
    data: { ...state, status: "idle", process_id: null, last_error },
  });
  switch (command.kind) {
    case "complete":
      return [
        { ...own, type: "agent.output.completed", data: { text: command.output, step: 1, attempt: 1 } },
        ...(command.usage === undefined ? [] : [usageEvent(own, command.usage, state)]),
        {
          ...own,
          type: "runtime.turn.ended",
          data: { turn_id, status: "completed", ...optional("reason", command.reason) },
        },
        { ...own, type: "runtime.request.completed", data: { turn_id, output: command.output } },
        idle(null),
      ];
    case "fail":
      return [
        { ...own, type: "runtime.turn.ended", data: { turn_id, status: "failed", reason: command.code } },
        {
          ...own,
          type: "runtime.request.failed",
          data: { turn_id, error: command.error, code: command.code },
        },
        idle(command.error),
      ];
    case "cancel":
      return [
        {
          ...own,
          type: "runtime.turn.ended",
          data: { turn_id, status: "cancelled", ...optional("reason", command.reason) },
        },
        {
          ...own,
          type: "runtime.request.cancelled",
          data: { turn_id, ...optional("reason", command.reason) },
        },
        idle(null),
      ];
  }
}

function usageEvent(
  own: Pick<NewEvent, "turn_id" | "agent_id" | "cause">,
  usage: Usage,
  state: SessionState,
): NewEvent {
  const total_tokens = usage.input_tokens + usage.output_tokens;
  return {
    ...own,
    type: "agent.usage",
    data: {
      input_tokens: usage.input_tokens,
      output_tokens: usage.output_tokens,
      total_tokens,
      ...optional("provider", state.provider ?? undefined),
      ...optional("model", state.model ?? undefined),
    },
  };
}

/** Leaves a field out rather than storing that it is not there. */
function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}

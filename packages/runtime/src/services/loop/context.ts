import type { NewEvent, SessionId, StreamId } from "@fairlead/contract";
import type { ApprovalMode, PermissionMode, SessionState, ThinkLevel } from "@fairlead/contract";
import { APPROVAL_MODES, PERMISSION_MODES, THINK_LEVELS } from "@fairlead/contract";
import type { Modes } from "../../domain/approval/types.ts";
import type { DailyBudgets } from "../../domain/budget/day.ts";
import type { LoopLimits } from "../../domain/loop/next.ts";
import type { TurnOfLoop } from "../../domain/loop/state.ts";
import { OWN_AGENT } from "../../domain/turn-decide.ts";
import type { Clock } from "../../ports/clock.ts";
import type { EventLog } from "../../ports/event-log.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Retriever } from "../../ports/retrieval.ts";
import type { Timers } from "../../ports/timers.ts";
import type { TokenCounters } from "../../ports/tokens.ts";
import type { HookGate } from "../hooks/types.ts";
import type { Workspaces } from "../../ports/workspaces.ts";
import type { Models } from "../models.ts";
import type { Redactor } from "../redaction.ts";
import type { OwnRun, OwnSupervision } from "../supervision/own-types.ts";
import type { ToolGateway } from "../tools/types.ts";
import type { TurnLimits } from "../turn/limits.ts";
import type { Grants, Questions } from "../types.ts";
import type { Place } from "../workspaces/place.ts";
import type { Roots } from "../workspaces/roots.ts";
import type { Journal } from "./journal.ts";

/** Sessions of sub-agents, as the loop needs them. */
export interface Children {
  /** Goes on with a session, unless somebody does already. Never throws. */
  wake(session: StreamId): void;
  /** Something was said to it: if it is driven here, that is heard at the next boundary. */
  nudge(session: SessionId): void;
  /** Resolves when what was delegated to this session has ended. Never rejects: what goes wrong is reported. */
  stop(session: SessionId, reason: string): Promise<void>;
}

export interface LoopDeps {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly timers: Timers;
  readonly models: Models;
  readonly tools: ToolGateway;
  readonly supervision: OwnSupervision;
  readonly hooks: HookGate;
  readonly grants: Grants;
  readonly questions: Pick<Questions, "announce" | "withdraw" | "withdrawal">;
  readonly children: Children;
  readonly tokens: TokenCounters;
  /** Asked at the start of each turn; without it, nobody is. */
  readonly retriever?: Retriever;
  readonly limits: TurnLimits & LoopLimits;
  readonly redactor: Redactor;
  /** What projects and actors may use in a day; without it, they are not limited. */
  readonly budgets?: DailyBudgets;
  readonly roots: Roots;
  /** Places of their own for sessions that write in the background; without it, they work in the workspace itself. */
  readonly workspaces?: Workspaces;
  /** Names this process to people, so that they find where a turn runs. */
  readonly process: string;
  /** Told of what cannot be put in the log. Must not throw. */
  readonly report: (error: unknown) => void;
}

/** One session that is driven: what every step works with. */
export interface Drive extends LoopDeps {
  readonly session: SessionId;
  readonly journal: Journal;
  /** Where its tools work. */
  readonly place: Place;
  /** Aborted when the turn is to stop, for whatever reason. */
  readonly signal: AbortSignal;
  /** Whether others go on with what is open, and find out about it: the lease is gone, or this process stops. */
  leaves(): boolean;
  /** Whether somebody spoke to the session since this was asked last. */
  spoken(): boolean;
  /** When this process began or took up the turn. */
  since(): number;
}

/** The open turn. Steps are only made while there is one. */
export function turnOf({ journal }: Pick<Drive, "journal">): TurnOfLoop {
  const { turn } = journal.state;
  if (turn === null) throw new Error("The loop made a step without a turn.");
  return turn;
}

/** What every event of the turn carries. */
export function envelopeOf(drive: Pick<Drive, "journal">) {
  const { turn_id, started } = turnOf(drive);
  return { turn_id, agent_id: OWN_AGENT, cause: started } satisfies Pick<
    NewEvent,
    "turn_id" | "agent_id" | "cause"
  >;
}

export function runOf({ session, journal, place }: Drive): OwnRun {
  return {
    session_id: session,
    agent_id: OWN_AGENT,
    depth: depthOf(journal),
    workspace: place.judgedBy(),
    tally: journal.tally,
  };
}

export function depthOf({ state }: Pick<Journal, "state">): number {
  const depth = state.settings?.["depth"];
  return typeof depth === "number" ? depth : 0;
}

/** The strict side of what a session may have said in words this program does not know. */
export function modesOf({ state }: Journal): Modes {
  return modesFrom(state.settings);
}

export function modesFrom(settings: SessionState | null): Modes {
  const { permission_mode, approval_mode } = settings ?? {};
  return {
    permission_mode: oneOf<PermissionMode>(PERMISSION_MODES, permission_mode, "normal", "plan"),
    approval_mode: oneOf<ApprovalMode>(APPROVAL_MODES, approval_mode, "on_request", "always"),
  };
}

/** Nothing where nothing was chosen: then the provider decides. */
export function thinkLevelOf({ state }: Journal): { readonly think_level?: ThinkLevel } {
  const said = state.settings?.think_level ?? undefined;
  return said === undefined ? {} : { think_level: oneOf<ThinkLevel>(THINK_LEVELS, said, "off", "off") };
}

function oneOf<T extends string>(all: readonly T[], said: unknown, unset: T, unknown: T): T {
  if (said === undefined || said === null) return unset;
  return all.find((one) => one === said) ?? unknown;
}

import type { Tier } from "../define.ts";
import type { Decision, QuestionKind, Risk } from "../events/question.ts";
import type { TurnStatus } from "../events/request.ts";
import type { Effect, ToolOutcomeStatus } from "../events/tool.ts";
import type { FrameBlobs } from "../frames.ts";
import type { Crossing } from "./enforced.ts";

/** One row of a session's timeline. Never changed in place: who holds one can compare by identity. */
interface Base {
  /** Stays the same while the row grows. */
  readonly key: string;
  /** The event that the row began with: what it is branched from. */
  readonly id: string;
  readonly seq: number;
  readonly at: string;
  readonly tier: Tier;
  /** The events it is made of, but for the pieces of a text. */
  readonly sources: readonly number[];
  /** Parts that are too large for the log, by JSON Pointer into the row's own event. */
  readonly blobs?: FrameBlobs;
}

export interface SaidEntry extends Base {
  readonly kind: "said";
  readonly text: string;
  readonly how: "turn" | "steer" | "queue";
  /** Who said it; null where nobody says so. */
  readonly by: string | null;
  /** `waiting` until the model hears it. */
  readonly state: "said" | "waiting" | "dropped";
  readonly note: string | null;
}

export interface TextEntry extends Base {
  readonly kind: "text";
  readonly text: string;
  readonly step: number | null;
  readonly open: boolean;
  /** Why it was cut off; null where it was not. */
  readonly superseded: string | null;
  /** Of one that was cut off: it is said again further down. */
  readonly again?: true;
}

export interface ThinkingEntry extends Base {
  readonly kind: "thinking";
  readonly text: string;
  readonly open: boolean;
}

export type ToolState = "decided" | "running" | ToolOutcomeStatus | "invalid" | "lost";

export interface ToolEntry extends Base {
  readonly kind: "tool";
  readonly callId: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>> | null;
  readonly state: ToolState;
  /** When it began to run. */
  readonly began: string | null;
  readonly elapsed: number | null;
  readonly effect: Effect | null;
  /** As shown to people and told to the model. */
  readonly result: unknown;
  /** As the tool gave it. */
  readonly outcome: unknown;
  readonly error: string | null;
  readonly attempt: number;
  /** Of a call that a sub-agent does: how that ended. The call itself ends when who delegated it hears so. */
  readonly reported?: string;
}

export interface QuestionEntry extends Base {
  readonly kind: "question";
  readonly requestId: string;
  readonly asks: QuestionKind;
  readonly callId: string | null;
  readonly tool: string;
  readonly reason: string;
  readonly risk: Risk | null;
  readonly shown: unknown;
  readonly shownHash: string | null;
  readonly pattern: string | null;
  readonly origin: string | null;
  readonly expires: string | null;
  readonly decided: {
    readonly decision: Decision;
    readonly actor: string;
    readonly at: string;
    readonly note: string | null;
    readonly reach: string | null;
    /** Withdrawn: what it asked about holds no more. */
    readonly moot?: true;
    /** What is done instead, of a yes with changes. */
    readonly edited?: unknown;
  } | null;
}

export interface RetrievalEntry extends Base {
  readonly kind: "retrieval";
  readonly query: string | null;
  readonly citations: readonly Readonly<Record<string, unknown>>[];
  readonly pack: Readonly<Record<string, unknown>> | null;
}

export interface CognitionEntry extends Base {
  readonly kind: "cognition";
  readonly summary: string;
  readonly guardrails: readonly Readonly<Record<string, unknown>>[];
  readonly details: Readonly<Record<string, unknown>>;
}

export interface EndEntry extends Base {
  readonly kind: "end";
  readonly status: TurnStatus;
  readonly reason: string | null;
  /** Milliseconds since the turn began, by the times of the log; null when that is not in the window. */
  readonly elapsed: number | null;
  /** No guardrail had to step in. */
  readonly calm?: true;
}

/** A budget is used up, and what was done about it. Where a person is asked, the question says so. */
export interface EnforcedEntry extends Base {
  readonly kind: "enforced";
  /** It waits to be looked at, or its turn has ended. */
  readonly action: "pause" | "end";
  readonly reason: string;
  readonly crossed: readonly Crossing[];
  /** It has gone on since. */
  readonly over: boolean;
}

export type NoticeKind =
  | "reflection"
  | "warning"
  | "compacted"
  | "checkpoint"
  | "step"
  | "verdict"
  | "policy"
  | "error"
  | "state"
  | "subagent"
  | "tasks"
  | "verification"
  | "artifact"
  | "gap";

/** Something beside the conversation that a person should know of. */
export interface NoticeEntry extends Base {
  readonly kind: "notice";
  readonly notice: NoticeKind;
  readonly tone: "calm" | "good" | "warning" | "bad";
  readonly title: string;
  readonly text: string;
  /** What can be done about it now. */
  readonly next?: string;
  /** Good to know, and no more: one line. */
  readonly slim?: true;
}

/** An event as it is: those that only the debug tier shows, and those of a newer writer. */
export interface RawEntry extends Base {
  readonly kind: "raw";
  readonly name: string;
  readonly summary: string;
  readonly payload: unknown;
}

export type Entry =
  | SaidEntry
  | TextEntry
  | ThinkingEntry
  | ToolEntry
  | QuestionEntry
  | RetrievalEntry
  | CognitionEntry
  | EndEntry
  | EnforcedEntry
  | NoticeEntry
  | RawEntry;
export type EntryKind = Entry["kind"];

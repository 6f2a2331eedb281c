import type { AhpEvent, BlockingType } from "@fairlead/ahp";
import type { NewEvent, SessionId } from "@fairlead/contract";
import type { HistoryCounts } from "../../domain/policy/input.ts";
import type { Tally } from "../../domain/supervision/tally.ts";

/** The session that a question belongs to, and what happened in it so far. */
export interface Subject {
  readonly stream: SessionId;
  /** Whose it is: the agent as it was let in, not as it calls itself. */
  readonly caller: string;
  readonly tally: Tally;
  readonly workspace?: string;
}

export interface Manner {
  /** A batch entry never waits. */
  readonly delivery: "request" | "batch";
  /** Aborts when no answer can reach the agent. */
  readonly signal: AbortSignal;
}

/** One question on its way to its answer. */
export interface Course {
  readonly subject: Subject;
  readonly event: AhpEvent;
  readonly type: BlockingType;
  readonly manner: Manner;
  readonly supervision_id: string;
  readonly start: number;
  /** Not durable yet, in order. */
  pending: NewEvent[];
  /** The action counts already, though nothing is answered. */
  hasClaim: boolean;
  /** As it was when the agent asked: the event must not count for itself, nor what came after it. */
  history: HistoryCounts | undefined;
}

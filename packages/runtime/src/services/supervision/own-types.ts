import type { BlockingType, EventType } from "@fairlead/ahp";
import type { NewEvent, SessionId } from "@fairlead/contract";
import type { Budget } from "../../domain/policy/input.ts";
import type { Coverage } from "../../domain/supervision/switches.ts";
import type { Tally } from "../../domain/supervision/tally.ts";
import type { AnyDecision } from "../../ports/supervisor.ts";

/** A run of our own, as supervisors see it. */
export interface OwnRun {
  readonly session_id: SessionId;
  readonly agent_id: string;
  /** 0 for a session that a person started; one more for each delegation. */
  readonly depth: number;
  readonly workspace: string;
  /** Counts of the session so far, carried along by whoever drives it. */
  readonly tally: Tally;
}

export interface OwnJudgement {
  /** Undefined: nobody answers for this event type, or it is switched off. */
  readonly decision: AnyDecision | undefined;
  /** `rule:ID`, `builtin:ID`, `rules`, or a supervisor's name. */
  readonly by: string;
  /** As the decision leaves it. */
  readonly payload: unknown;
  /** For the caller to append, in order, in the commit that carries what follows from the decision. */
  readonly records: readonly NewEvent[];
}

/** Supervision of the native loop: the same rules, guards and supervisors as for foreign agents. Fails closed. */
export interface OwnSupervision {
  /** Whether anybody is asked about this type at all: cheap, to leave out building a payload. */
  asks(type: BlockingType): boolean;
  /**
   * No promise when only rules are asked: they answer at once. Records of asking a supervisor outside are made durable by `before`,
   * which is awaited before its answer counts. Rejects only when `before` does.
   */
  judge(
    run: OwnRun,
    type: BlockingType,
    payload: unknown,
    before: (records: readonly NewEvent[]) => Promise<void>,
  ): OwnJudgement | Promise<OwnJudgement>;
  /**
   * Whether a person's yes still counts by the rules in force now; undefined when it does, else why not. `payload` is what
   * they approved. With what was `asked` first, a rule that changes its own work once more is known for what it is.
   */
  recheck(run: OwnRun, type: BlockingType, payload: unknown, asked?: unknown): string | undefined;
  /** Whether anybody outside is told anything: cheap, to leave out building it. */
  readonly takesNotices: boolean;
  /** Sends a notification to every supervisor outside that takes them, without waiting. */
  notify(run: OwnRun, type: EventType, payload: unknown): void;
  /** What one session may use; what is not there is not limited. */
  readonly budget: Budget["limits"];
  /** What is asked about now, for the record of a turn. */
  coverage(): Coverage;
}

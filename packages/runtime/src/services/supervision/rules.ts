import type { EventType } from "@fairlead/ahp";
import type { EventData } from "@fairlead/contract";
import type { PolicyInput } from "../../domain/policy/input.ts";
import type { AnyDecision } from "../../ports/supervisor.ts";

/** What the rules in force say about one event. */
export interface Ruling {
  /** Undefined: the event type is not supported, and no rule answers it. */
  readonly decision: AnyDecision | undefined;
  /** Null when no rule matched and the default decided. */
  readonly rule_id: string | null;
  /** For the log. */
  readonly data: EventData<"runtime.policy.decision">;
}

/** The built-in supervisor. Answers at once; a reload takes effect with the next question. */
export interface Rules {
  /** Names the rules in force. */
  readonly hash: string;
  readonly count: number;
  /** Whether any rule looks at events of this type. */
  covers(type: EventType): boolean;
  /** `applied`: the rules that have changed this question already; those that change it now are added. */
  judge(input: PolicyInput, applied?: Set<string>): Ruling;
}

import type { AhpEvent, BlockingType } from "@fairlead/ahp";

/** A decision as the protocol has it, whatever the event type. */
export type AnyDecision = { readonly decision: string } & Readonly<Record<string, unknown>>;

/** Why there is no answer. */
export type FaultKind = "timeout" | "invalid" | "failed";

export class SupervisorFault extends Error {
  override readonly name = "SupervisorFault";
  readonly kind: FaultKind;

  constructor(kind: FaultKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** Whoever answers the questions of the Agent Harness Protocol beside our own rules. */
export interface Supervisor {
  readonly name: string;
  /** The event types it answers for. About others it is not asked. */
  readonly on: readonly BlockingType[];
  readonly timeoutMs: number;
  /** What stands in for a missing answer. `allow` leaves the decision to the others. */
  readonly onFailure: "block" | "allow";
  /** Resolves with a decision, which the caller checks. Rejects with a SupervisorFault when there is none. */
  decide(event: AhpEvent, signal: AbortSignal): Promise<unknown>;
  /**
   * Hands a notification over: resolves when it is sent, rejects when it cannot be. Undefined: it takes none. The caller
   * keeps their order, and gives up after `timeoutMs`.
   */
  readonly notify?: (event: AhpEvent, signal: AbortSignal) => Promise<void>;
  close(): Promise<void>;
}

import type { SessionId } from "@fairlead/contract";

/**
 * What an engine shows of its work. `native`: every call of a tool, every step. `bridge`: state, checkpoints, approvals,
 * artifacts and the final output of a process that is not ours.
 */
export type Fidelity = "native" | "bridge";

/** What drives background work. All that it knows is in the log: any process can take up what another left. */
export interface Engine {
  readonly id: string;
  readonly fidelity: Fidelity;
  /** Whether work that waits holds no process. What cannot is not paused while it is at work: engine_cannot_park. */
  readonly parks: boolean;
  /** Why it cannot be used here, in a sentence; undefined when it can. */
  missing(): string | undefined;
  /**
   * Takes the session up, or goes on with it, when there is something to do and room for it. False when not, or when
   * somebody does already. `now` is asked of one that waits and whose time is over.
   */
  wake(session: SessionId, now?: boolean): Promise<boolean>;
  /** Something was written for the session: whoever drives it here looks before its next step. Must not throw. */
  nudge(session: SessionId): void;
  /** Ends what is open in the session, also when another process drives it. Its end is recorded when this resolves. */
  cancel(session: SessionId, actor: string, reason: string): Promise<void>;
}

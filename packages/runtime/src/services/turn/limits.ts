/** When a turn is cut short, and how it is written down. */
export interface TurnLimits {
  /** Silence of the model after which its call has failed. */
  readonly idleMs: number;
  /** The longest one model call may take, however busy. */
  readonly callMs: number;
  /** The longest answer taken. */
  readonly outputChars: number;
  /** Pause between two deltas; what comes in between is put together. */
  readonly deltaMs: number;
  /** How long a lease lasts without renewal: the time after which others may take over. */
  readonly leaseMs: number;
  /** The most recent messages that the model is shown. */
  readonly historyMessages: number;
}

export const TURN_LIMITS: TurnLimits = {
  idleMs: 60_000,
  callMs: 15 * 60_000,
  outputChars: 2_000_000,
  deltaMs: 25,
  leaseMs: 10_000,
  historyMessages: 100,
};

import type { AhpError } from "../protocol/errors.ts";
import { MAX_HELD_BYTES } from "../transport/limits.ts";
import type { Call } from "./handlers.ts";

export interface Limits {
  /** How long an agent should wait for an answer. */
  readonly timeoutMs: number;
  readonly batchSize: number;
  readonly maxDepth: number;
  /** Unanswered requests of one connection; more are refused as overloaded. */
  readonly maxInFlight: number;
  /** Unfinished notifications of one connection; at this many, reading waits. */
  readonly maxNotices: number;
  /** Length of all messages of one connection that are being answered or taken; at this much, reading waits. */
  readonly maxHeldBytes: number;
}

export const DEFAULT_LIMITS: Limits = {
  timeoutMs: 10_000,
  batchSize: 100,
  maxDepth: 10,
  maxInFlight: 1_024,
  maxNotices: 256,
  maxHeldBytes: MAX_HELD_BYTES,
};

/** A message that got no answer of its own, for the record. */
export interface Ignored<C> {
  readonly reason: AhpError;
  readonly method: string | undefined;
  readonly params: unknown;
  readonly call: Call<C>;
}

export interface ServerOptions<C> {
  readonly info?: { readonly name: string; readonly version: string };
  /** Derived from the handlers unless given. */
  readonly capabilities?: readonly string[];
  readonly limits?: Partial<Limits>;
  /** False serves peers that never greet. */
  readonly requireHandshake?: boolean;
  /** Hears of bad and unknown notifications, and of messages that could not be read. Must not throw. */
  readonly onIgnored?: (ignored: Ignored<C>) => void;
}

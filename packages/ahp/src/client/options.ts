import type { EventContext } from "../protocol/context.ts";
import type { Metadata } from "../protocol/fields.ts";
import type { AgentInfo } from "../protocol/methods.ts";

export interface ClientOptions {
  readonly sessionId: string;
  readonly agentId: string;
  readonly agent?: Partial<AgentInfo>;
  /** For one whole call: waiting for a slot, connecting, retrying, the answer. */
  readonly timeoutMs?: number;
  /** How often a call tries again when the harness cannot be reached. */
  readonly maxRetries?: number;
  /** Before the first retry; doubles after. */
  readonly retryDelayMs?: number;
  readonly maxInFlight?: number;
  /** Callers that may wait for a slot; more fail as overloaded. */
  readonly maxQueued?: number;
  /** Hears of messages from the harness that belong to no request. Must not throw. */
  readonly onStray?: (what: string) => void;
  readonly newId?: () => string;
  readonly now?: () => Date;
  readonly random?: () => number;
}

export interface CallOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** What an event says beside its payload. */
export interface EventOptions extends CallOptions {
  readonly depth?: number;
  readonly context?: EventContext;
  readonly metadata?: Metadata;
}

export const CLIENT_DEFAULTS = {
  timeoutMs: 10_000,
  maxRetries: 3,
  retryDelayMs: 1_000,
  maxInFlight: 256,
  maxQueued: 4_096,
} as const;

import type { EngineRow, HealthyRow, RouteBody, SessionPolicy, SessionRow } from "@fairlead/contract";
import type { Actor } from "../../domain/actor.ts";
import type { RowPage } from "../../ports/event-log.ts";
import type { BranchFrom, CreateSession, SessionChoice, Sessions } from "../types.ts";

/** What holds background work, beside how it works. */
export interface SessionBounds {
  readonly policy?: SessionPolicy;
  readonly max_retries?: number;
  /** ISO 8601; null: never. */
  readonly expires_at?: string | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface StartSession extends SessionBounds, Omit<CreateSession, keyof SessionBounds> {
  readonly task: string;
  readonly engine?: string;
}

export interface ResumeSession extends BranchFrom, SessionBounds, Omit<SessionChoice, keyof SessionBounds> {
  /** Told to it when it goes on. */
  readonly input?: string;
  readonly reason?: string;
  readonly idempotencyKey?: string;
}

export interface PolicyChange extends Pick<SessionBounds, "max_retries" | "expires_at"> {
  /** What is left out of it stays, null takes one budget away; null in its place takes all. */
  readonly health?: RouteBody<"setSessionPolicy">["health"];
}

/** Background work: the states of seed 000's kernel, and who may move them. Each answer says how the session fares. */
export interface Kernel {
  /** Queued when it resolves, and taken up by itself. Throws engine_unknown, engine_not_installed. */
  start(actor: Actor, input: StartSession): Promise<HealthyRow>;
  /** What can drive it, installed or not. */
  engines(): readonly EngineRow[];
  /** Nothing more is begun; what runs is finished first. Throws session_ended, engine_cannot_park. */
  pause(actor: Actor, ref: string, reason?: string, idempotencyKey?: string): Promise<HealthyRow>;
  /** The same session; with a place in it, a branch from there. Throws session_ended, session_state. */
  resume(actor: Actor, ref: string, input?: ResumeSession): Promise<HealthyRow>;
  /** Ended, and on record, when it resolves. Throws session_ended, turn_active. */
  cancel(actor: Actor, ref: string, reason?: string): Promise<HealthyRow>;
  /** What needs review is good: completed, by this person's word. Throws session_ended, session_state. */
  accept(actor: Actor, ref: string, reason?: string): Promise<HealthyRow>;
  setPolicy(actor: Actor, ref: string, change: PolicyChange): Promise<HealthyRow>;
  list(actor: Actor, query: Parameters<Sessions["list"]>[1]): Promise<RowPage<HealthyRow>>;
  healthy(row: SessionRow): Promise<HealthyRow>;
  /** Ends what waits and whose time is over. Returns how many were taken up for it. */
  expireDue(): Promise<number>;
  /** When the next of them is over, in milliseconds; null when none has an end. */
  nextDue(): Promise<number | null>;
  /** Calls back with the end that was set for a session in this process. Returns how to call it off. */
  onExpiry(listener: (due: number) => void): () => void;
}

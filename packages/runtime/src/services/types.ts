import type { NewEvent, QuestionId, QuestionRow, SessionRow, StreamId, TokenRow } from "@fairlead/contract";
import type { Actor, Role } from "../domain/actor.ts";
import type { QuestionDecision } from "../domain/question-decide.ts";
import type { RowPage, StreamInfo } from "../ports/event-log.ts";

export interface Sessions {
  /** `alias`: the caller's own name for the session, usable wherever an id is. */
  create(actor: Actor, input: CreateSession): Promise<SessionRow>;
  /** Turns an id or alias into the stream the actor may see. Throws session_not_found, session_purged, forbidden. */
  resolve(actor: Actor, ref: string): Promise<StreamInfo>;
  get(actor: Actor, ref: string): Promise<SessionRow>;
  list(
    actor: Actor,
    query: { status?: readonly string[]; kind?: string; limit?: number; cursor?: string },
  ): Promise<RowPage<SessionRow>>;
  purge(actor: Actor, ref: string, reason: string): Promise<void>;
  trim(actor: Actor, ref: string, upTo: number): Promise<StreamInfo>;
}

export interface CreateSession {
  readonly title?: string;
  readonly alias?: string;
  readonly project?: string | null;
  readonly model?: string;
  readonly idempotencyKey?: string;
}

export interface Turns {
  /** Recorded before it returns; runs on in the background. Throws turn_active when one is open. */
  start(actor: Actor, ref: string, input: { input: string; idempotencyKey?: string }): Promise<StartedTurn>;
  /** Ends the open turn; its end is recorded when this resolves. Throws turn_not_found when none is open. */
  cancel(actor: Actor, ref: string, reason?: string): Promise<{ turn_id: string }>;
  /** Ends turns that a dead process left open: every turn ends. */
  recover(): Promise<number>;
  /** Stops taking turns and ends those under way, each recorded. */
  stop(reason: string): Promise<void>;
}

export interface StartedTurn {
  readonly session_id: StreamId;
  readonly turn_id: string;
  /** Seq of the first event of the commit that started it; subscribe after `seq - 1` to see the whole turn. */
  readonly seq: number;
}

interface AskQuestion {
  readonly kind: "approval" | "user_input" | "tool_call";
  readonly tool_name: string;
  readonly reason: string;
  readonly asked_by?: string;
  readonly shown?: unknown;
  readonly risk?: "low" | "medium" | "high" | "critical";
  readonly expires_at?: string;
  readonly tool_call_id?: string;
  readonly turn_id?: string;
}

/** Written in the same commit as the question. */
export interface BesideQuestion {
  readonly events: (request_id: QuestionId) => readonly NewEvent[];
  /** Throws key_taken when one of them is, and asks nothing. */
  readonly keys: readonly string[];
}

export interface Questions {
  ask(stream: StreamId, question: AskQuestion, beside?: BesideQuestion): Promise<QuestionRow>;
  get(actor: Actor, id: string): Promise<QuestionRow>;
  list(
    actor: Actor,
    query: { state?: string; kind?: string; session_id?: string; limit?: number; cursor?: string },
  ): Promise<RowPage<QuestionRow>>;
  /** Exactly once, across processes. Throws question_decided (details: the first decision) or question_expired. */
  decide(actor: Actor, id: string, decision: QuestionDecision): Promise<QuestionRow>;
  /** Records `expired` for each pending question past its time; returns how many. */
  expireDue(): Promise<number>;
  /** When the next pending question expires, in milliseconds; null when none does. */
  nextDue(): Promise<number | null>;
  /** Calls back with the time at which a question asked in this process expires. Returns how to call it off. */
  onAsked(listener: (expires_at: number) => void): () => void;
}

interface CreateToken {
  readonly actor: string;
  readonly role: Role;
  readonly project?: string | null;
  readonly label?: string;
  readonly expires_at?: string | null;
  readonly purpose?: "api" | "cli" | "browser";
  /** A token on whose behalf it is made: it lasts no longer than that one, and is refused once that one is. */
  readonly parent?: string | null;
}

export interface Tokens {
  /** The secret is returned once and kept only as a hash. Throws forbidden when it would reach further than `by` does, unauthorized when its parent is no longer good. */
  create(by: Actor, input: CreateToken): Promise<{ secret: string; token: TokenRow }>;
  /** Those of the actor's project. */
  list(by: Actor): Promise<readonly TokenRow[]>;
  /** Idempotent. Throws token_not_found. */
  revoke(by: Actor, tokenId: string): Promise<void>;
  /** Undefined: it, or a token it was made on behalf of, is unknown, revoked or expired. */
  authenticate(secret: string): Promise<Actor | undefined>;
}

export interface Services {
  readonly sessions: Sessions;
  readonly turns: Turns;
  readonly questions: Questions;
  readonly tokens: Tokens;
}

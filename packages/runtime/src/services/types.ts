import type {
  ChatSessionDetail,
  GrantRow,
  GrantState,
  InputId,
  NewEvent,
  QuestionId,
  QuestionRow,
  SessionDetail,
  SessionId,
  SessionPolicy,
  SessionRow,
  SessionSettings,
  SessionSort,
  StreamId,
  TokenRow,
} from "@fairlead/contract";
import type { Actor, Role } from "../domain/actor.ts";
import type { Asked } from "../domain/approval/types.ts";
import type { LoopState } from "../domain/loop/state.ts";
import type { AskQuestion } from "../domain/question.ts";
import type { QuestionDecision } from "../domain/question-decide.ts";
import type { Comparisons } from "./compare/compare.ts";
import type { Hooks } from "./hooks/types.ts";
import type { InboxService } from "./inbox.ts";
import type { Health } from "./health/health.ts";
import type { Kernel } from "./kernel/types.ts";
import type { Offer } from "./loop/offer.ts";
import type { ModelList } from "./model-list.ts";
import type { Directories } from "./workspaces/directories.ts";
import type { Offers } from "./workspaces/offers.ts";
import type { Tools } from "./tools/tools.ts";
import type { RowPage, StreamInfo } from "../ports/event-log.ts";

export interface Sessions {
  /** `alias`: the caller's own name for the session, usable wherever an id is. */
  create(actor: Actor, input: CreateSession, as?: NewKind): Promise<SessionRow>;
  /** Turns an id or alias into the stream the actor may see. Throws session_not_found, session_purged, forbidden. */
  resolve(actor: Actor, ref: string): Promise<StreamInfo>;
  get(actor: Actor, ref: string): Promise<SessionRow>;
  list(
    actor: Actor,
    query: {
      status?: readonly string[];
      /** Left out: every kind but sub-agents. */
      kind?: string;
      project?: string;
      /** Those of sub-agents too. */
      include?: "subagents" | undefined;
      engine?: string;
      /** What waits for the actor, or failed and was not seen by them. */
      needs?: "me" | undefined;
      /** Words; every one of them is a part of what names it. */
      search?: string;
      sort?: SessionSort | undefined;
      limit?: number;
      cursor?: string;
    },
  ): Promise<RowPage<SessionRow>>;
  /** Holds from the next step on. Throws bad_request for a model that is not there. */
  configure(actor: Actor, ref: string, changes: SessionChoice): Promise<SessionRow>;
  purge(actor: Actor, ref: string, reason: string): Promise<void>;
  trim(actor: Actor, ref: string, upTo: number): Promise<StreamInfo>;
}

export interface CreateSession extends Omit<SessionChoice, "title"> {
  readonly title?: string;
  readonly alias?: string;
  readonly project?: string | null;
  /** Where it works, absolute. Throws workspace_outside, workspace_missing. */
  readonly workspace?: string;
  /** What it is held to. */
  readonly policy?: SessionPolicy;
  readonly idempotencyKey?: string;
}

/** What a new session is, where it is no chat. */
export interface NewKind {
  readonly kind: string;
  /** What tells this command from another under the same key, beside the input. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The first commit, made from the state that a chat would begin with. */
  readonly events: (first: NewEvent) => readonly NewEvent[];
}

/** What a branch is, where it is no chat. */
export interface BranchKind extends Pick<NewKind, "kind" | "body"> {
  /** What is to be otherwise than in the parent, beside the settings. */
  readonly changes: SessionSettings;
  /** The first commit, made from that of a chat. Its last event is the state. */
  readonly events: (first: readonly NewEvent[], loop: LoopState) => readonly NewEvent[];
}

/** What a caller can choose; the provider follows from the model. */
export type SessionChoice = Omit<SessionSettings, "provider">;

export interface Details {
  /** At most `limit` of each: resume points, sub-agents, artifacts, envelopes. */
  chat(actor: Actor, ref: string, query?: { limit?: number }): Promise<ChatSessionDetail>;
  session(actor: Actor, ref: string, query?: { limit?: number }): Promise<SessionDetail>;
}

/** Where a branch leaves its parent: one of them, or neither for the end. */
export interface BranchFrom {
  readonly from_event_id?: string;
  readonly resume_cursor?: string;
}

export interface BranchSession extends BranchFrom, SessionChoice {
  readonly idempotencyKey?: string;
}

export interface Branches {
  /**
   * A new chat session with the history of this one up to the fork, by reference. What was open there is closed in it.
   * Throws event_not_found, resume_cursor_invalid, history_trimmed, branch_unsupported.
   */
  branch(actor: Actor, ref: string, input: BranchSession, as?: BranchKind): Promise<SessionRow>;
}

export interface Turns {
  /** Recorded before it returns; runs on in the background. Throws turn_active when one is open. */
  start(actor: Actor, ref: string, input: { input: string; idempotencyKey?: string }): Promise<StartedTurn>;
  /** Ends the open turn; its end is recorded when this resolves. Throws turn_not_found when none is open. */
  cancel(actor: Actor, ref: string, reason?: string): Promise<{ turn_id: string }>;
  /** Said while a turn is open: it becomes a turn of its own after it; without an open turn, at once. */
  queue(actor: Actor, ref: string, input: { input: string; idempotencyKey?: string }): Promise<SaidInput>;
  /** Said to the open turn, which hears it at its next step. Throws turn_not_found when none is open. */
  steer(actor: Actor, ref: string, input: { input: string; idempotencyKey?: string }): Promise<SaidInput>;
  /**
   * Goes on with a session that has something to go on with, by our own loop. False when it has not, when somebody does already, or when
   * as much background work runs here as may. `now`: also with one that waits.
   */
  wake(session: SessionId, now?: boolean): Promise<boolean>;
  /** The same, by whatever engine drives the session. */
  goOn(session: SessionId): Promise<boolean>;
  /** Something was written for it: whoever drives it here looks before its next step. */
  nudge(session: SessionId): void;
  /** Goes on with what a dead process left, and with what waited and need not any more. Returns how many. */
  recover(): Promise<number>;
  /** When the next parked turn's time is over, in milliseconds; null when none waits for a time. */
  nextDue(): Promise<number | null>;
  /** Calls back with the time until which a turn was parked in this process. Returns how to call it off. */
  onTimer(listener: (due: number) => void): () => void;
  /** The same as `stop`, but each turn comes to the end of what it does now first. To be called before it, with a limit. */
  drain(reason: string): Promise<void>;
  /** Stops taking turns, and lets go of those under way: another process, or the next, goes on with them. */
  stop(reason: string): Promise<void>;
}

export interface SaidInput {
  readonly session_id: StreamId;
  readonly input_id: InputId;
  readonly seq: number;
}

export interface StartedTurn {
  readonly session_id: StreamId;
  readonly turn_id: string;
  /** Seq of the first event of the commit that started it; subscribe after `seq - 1` to see the whole turn. */
  readonly seq: number;
}

/** Written in the same commit as the question. */
export interface BesideQuestion {
  readonly events: (request_id: QuestionId) => readonly NewEvent[];
  /** Throws key_taken when one of them is, and asks nothing. */
  readonly keys: readonly string[];
}

export interface Questions {
  /**
   * The event that asks, for whoever appends it beside others in a commit of their own. Nothing is written.
   * Once it is durable, `announce` has it expire in time.
   */
  prepare(question: AskQuestion): { readonly request_id: QuestionId; readonly event: NewEvent };
  announce(question: Pick<AskQuestion, "expires_at">): void;
  ask(stream: StreamId, question: AskQuestion, beside?: BesideQuestion): Promise<QuestionRow>;
  get(actor: Actor, id: string): Promise<QuestionRow>;
  list(
    actor: Actor,
    query: { state?: string; kind?: string; session_id?: string; limit?: number; cursor?: string },
  ): Promise<RowPage<QuestionRow>>;
  /** Exactly once, across processes. Throws question_decided (details: the first decision) or question_expired. */
  decide(actor: Actor, id: string, decision: QuestionDecision): Promise<QuestionRow>;
  /** Nobody waits for it any more: it expires now, unless it is decided. */
  withdraw(id: QuestionId, note: string): Promise<void>;
  /** The same for whoever writes it in a commit of their own; none where it is decided. Nothing is written. */
  withdrawal(id: QuestionId, note: string): Promise<readonly Offer[]>;
  /** Calls back with the session of each question decided in this process. Must not throw. */
  onDecided(listener: (session: SessionId) => void): () => void;
  /** Records `expired` for each pending question past its time; returns how many. */
  expireDue(): Promise<number>;
  /** When the next pending question expires, in milliseconds; null when none does. */
  nextDue(): Promise<number | null>;
  /** Calls back with the time at which a question asked in this process expires. Returns how to call it off. */
  onAsked(listener: (expires_at: number) => void): () => void;
}

export interface Grants {
  /** A yes that was given before and answers this question too, so that nobody need be asked. */
  find(session: StreamId, turn_id: string, asked: Asked, origin: string): Promise<GrantRow | undefined>;
  list(
    actor: Actor,
    query: { state?: GrantState; scope?: string; session_id?: string; limit?: number; cursor?: string },
  ): Promise<RowPage<GrantRow>>;
  /** Idempotent. Throws grant_not_found. */
  revoke(actor: Actor, id: string, reason?: string): Promise<GrantRow>;
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
  readonly details: Details;
  readonly branches: Branches;
  readonly comparisons: Comparisons;
  readonly offers: Offers;
  readonly turns: Turns;
  readonly kernel: Kernel;
  readonly health: Health;
  readonly questions: Questions;
  readonly inbox: InboxService;
  readonly grants: Grants;
  readonly tokens: Tokens;
  readonly tools: Tools;
  readonly models: ModelList;
  readonly hooks: Hooks;
  readonly directories: Directories;
}

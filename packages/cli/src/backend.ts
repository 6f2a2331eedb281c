import type {
  ChangeArtifact,
  ChatSessionDetail,
  FaceName,
  FrontendFrame,
  GrantRow,
  HealthSnapshot,
  HealthyRow,
  HookRow,
  ModelRow,
  QuestionRow,
  RouteBody,
  RouteQuery,
  RouteReply,
  RuntimeFrame,
  SessionComparison,
  SessionRow,
  TokenRow,
} from "@fairlead/contract";
import type { ConnectionState } from "@fairlead/client";

export type Frame = FrontendFrame | RuntimeFrame;

export interface Item {
  /** Where to go on from; null for what is told to this reader only. */
  readonly cursor: number | null;
  readonly frame: Frame;
}

export interface FrameQuery {
  /** An id or an alias; without it every session. */
  readonly session?: string;
  /** `latest`: only what comes. */
  readonly after?: number | "latest";
  readonly face?: FaceName;
  readonly tier?: "default" | "debug";
  readonly history?: "own" | "full";
}

export interface ReplayQuery extends FrameQuery {
  readonly after?: number;
}

export interface FollowQuery extends FrameQuery {
  readonly signal?: AbortSignal;
  readonly onState?: (state: ConnectionState) => void;
  /** Told how far it has come, also past what is not shown. */
  readonly onCursor?: (cursor: number) => void;
}

export interface Rows<T> {
  readonly rows: readonly T[];
  readonly cursor: string | null;
}

export type SaidInput = RouteReply<"queueInput">;
export type Verification = RouteReply<"verifyLog">;
export type QuestionDecision = RouteBody<"decideQuestion">;

/** What commands need of the runtime: from a server over HTTP, or from the store in this process. */
export interface Backend {
  /** For messages. */
  readonly name: string;
  /** Whether others can write while we read, so that following is worth while. */
  readonly shared: boolean;
  createSession(input: RouteBody<"createChatSession">): Promise<SessionRow>;
  configureSession(ref: string, changes: RouteBody<"configureChatSession">): Promise<SessionRow>;
  getSession(ref: string): Promise<SessionRow>;
  /** How it fares. */
  sessionHealth(ref: string): Promise<HealthSnapshot>;
  /** The row with resume points, sub-agents, artifacts and the channel, at most `limit` of each. */
  sessionDetail(ref: string, limit?: number): Promise<ChatSessionDetail>;
  /** What each of two sessions did since the place that both share. */
  compareSessions(a: string, b: string): Promise<SessionComparison>;
  /** What it has changed in its own workspace, recorded and offered. */
  offerChange(ref: string): Promise<ChangeArtifact>;
  branchSession(ref: string, input: RouteBody<"branchChatSession">): Promise<SessionRow>;
  listSessions(query: Partial<RouteQuery<"listSessions">>): Promise<Rows<HealthyRow>>;
  startWork(input: RouteBody<"startSession">): Promise<HealthyRow>;
  pauseWork(ref: string, reason?: string): Promise<HealthyRow>;
  resumeWork(ref: string, input: RouteBody<"resumeSession">): Promise<HealthyRow>;
  cancelWork(ref: string, reason?: string): Promise<HealthyRow>;
  acceptWork(ref: string, reason?: string): Promise<HealthyRow>;
  setPolicy(ref: string, change: RouteBody<"setSessionPolicy">): Promise<HealthyRow>;
  listQuestions(query: Partial<RouteQuery<"listQuestions">>): Promise<Rows<QuestionRow>>;
  /** With all of what is shown. */
  getQuestion(id: string): Promise<QuestionRow>;
  decideQuestion(id: string, decision: QuestionDecision): Promise<QuestionRow>;
  listGrants(query: Partial<RouteQuery<"listGrants">>): Promise<Rows<GrantRow>>;
  revokeGrant(id: string, reason?: string): Promise<GrantRow>;
  /** The default first. */
  listModels(): Promise<readonly ModelRow[]>;
  listHooks(): Promise<readonly HookRow[]>;
  /** With the text of its files. */
  getHook(name: string): Promise<RouteReply<"getHook">>;
  trustHook(name: string, hash: string): Promise<HookRow>;
  untrustHook(name: string): Promise<void>;
  startTurn(
    ref: string,
    input: string,
  ): Promise<{ readonly session_id: string; readonly turn_id: string; readonly seq: number }>;
  /** For after the open turn, or for the open turn itself. */
  say(ref: string, mode: "queue" | "steer", input: string): Promise<SaidInput>;
  cancelTurn(ref: string, reason: string): Promise<{ readonly turn_id: string }>;
  /** What is there when it begins, to its end. */
  replay(query: ReplayQuery): AsyncIterable<Item>;
  /** What is there and what comes, until the signal aborts. */
  follow(query: FollowQuery): AsyncIterable<Item>;
  /** One session by its id, or all. `progress` is told how many events were checked, where that is known. */
  verify(session: string | undefined, progress: (checked: number) => void): Promise<Verification>;
  createToken(
    input: RouteBody<"createToken">,
  ): Promise<{ readonly secret: string; readonly token: TokenRow }>;
  listTokens(): Promise<readonly TokenRow[]>;
  revokeToken(id: string): Promise<void>;
  /** A one-time link that signs a browser in. Only a server can make one. */
  createLink(): Promise<{
    readonly url: string;
    readonly browser_url: string;
    readonly expires_at: string;
  }>;
  close(): Promise<void>;
}

import type {
  Decision,
  Effect,
  EventId,
  InputId,
  QuestionId,
  RequestedCall,
  SessionId,
  SessionSettings,
  SessionState,
  Wait,
} from "@fairlead/contract";
import type { Message } from "../../ports/model.ts";
import { type EvidenceState, newEvidence } from "../evidence/evidence.ts";
import type { Hooking } from "../hooks/fold.ts";
import type { SubagentEnd } from "../delegation/status.ts";
import type { Progress } from "../kernel/steps.ts";
import type { TakenId } from "./call-ids.ts";
import type { TurnFacts } from "./facts.ts";
import type { Reflecting } from "./reflection.ts";
import type { ToolArguments } from "../../ports/tool.ts";

/** What has become of one call that the model asked for. */
export type CallStage =
  /** Nobody has looked at it yet. */
  | { readonly at: "requested" }
  /** Judged, and may run. */
  | { readonly at: "ready" }
  /** A person is asked. */
  | { readonly at: "asked"; readonly request_id: QuestionId; readonly about: "approval" | "outcome" }
  /** That person has decided, and nothing came of it yet. */
  | {
      readonly at: "decided";
      readonly request_id: QuestionId;
      readonly about: "approval" | "outcome";
      readonly decision: Decision;
      readonly actor: string;
      readonly note?: string;
      readonly edited?: unknown;
      readonly answer?: unknown;
    }
  /** Began to run. Seen at rest only when the process that ran it is gone. */
  | { readonly at: "running" }
  /** A sub-agent works on it, in that session. */
  | { readonly at: "away"; readonly session_id: SessionId }
  /** The sub-agent has ended, and nothing came of it yet. */
  | {
      readonly at: "back";
      readonly session_id: SessionId;
      readonly agent_id: string;
      readonly status: SubagentEnd;
      readonly output: string;
      readonly reason?: string;
      readonly tokens: number;
      readonly output_tokens: number;
      readonly cost_usd: number;
      readonly elapsed_ms: number;
    }
  | { readonly at: "done" };

export interface CallState {
  readonly requested: RequestedCall;
  stage: CallStage;
  /** What the person was asked about: a yes is bound to exactly this. */
  shown?: {
    readonly name: string;
    readonly arguments: ToolArguments;
    /** Of what it would have changed when it was asked about; for tools that can show that. */
    readonly preview_hash?: string;
  };
  /** What the tool said, until its outcome is there. */
  said?: string;
  /** As it runs: what guard, supervisors and people made of the request. Set once it is started. */
  started?: {
    readonly name: string;
    readonly arguments: ToolArguments;
    readonly access: "read" | "write";
    readonly effect: Effect;
    readonly parallel: boolean;
    readonly delegates?: true;
  };
  /** How often it began to run. */
  runs: number;
  /** Nobody saw how it ended: that it happened is a person's word, and no proof that it succeeded. */
  unseen?: true;
}

/** Something said while a turn was open. */
export interface HeldInput {
  readonly input_id: InputId;
  readonly input: string;
  readonly mode: "queue" | "steer";
  /** Who said it. */
  readonly actor?: string;
}

/** A person is asked whether the model may be asked. */
export interface Gate {
  readonly request_id: QuestionId;
  readonly step: number;
  readonly decision: Decision | null;
  readonly actor?: string;
  readonly note?: string;
  readonly edited?: unknown;
}

/** A person is asked whether the session may go on beyond what its policy allows. */
export interface LimitQuestion {
  readonly request_id: QuestionId;
  readonly decision: Decision | null;
}

/** What was put aside for a model call that has not ended. */
export interface Reserved {
  readonly step: number;
  readonly attempt: number;
  readonly tokens: number;
  readonly cost_usd?: number;
  readonly accounts?: readonly string[];
  readonly day?: string;
}

export interface TurnOfLoop {
  readonly turn_id: string;
  /** The id of `runtime.request.started`: the cause of what follows. */
  readonly started: EventId | null;
  readonly input: string;
  /** Who asked for it, where the log says so. */
  readonly actor: string | null;
  /** Counts the processes that have driven it. */
  attempt: number;
  /** Processes that were lost in a row while they drove it, without getting anywhere. */
  losses: number;
  /** The step under way or done last: one model call and the tools it asked for. 0 before the first. */
  step: number;
  /** How often in a row it waited for time to pass before the same model call. */
  pauses: number;
  /** Which try of the next model call. */
  tries: number;
  /** The calls of the last step, in the order of the model. */
  calls: CallState[];
  /** Rounds in a row in which the model's calls did not fit. */
  misfits: number;
  /** What a parked turn waits for; null while it is driven. */
  waits: Wait[] | null;
  /** Somebody asked for its end. */
  cancelling: { readonly actor: string; readonly reason: string } | null;
  /** A question about the next model call itself. */
  gate: Gate | null;
  limit: LimitQuestion | null;
  reserved: Reserved | null;
  /** What supervisors were asked about for this turn, and told the model. */
  informed: string[];
  /** The model has said its last word, unless it hears something more. */
  answered: boolean;
  /** What the last model call said in text. */
  output: string;
  finish: string | null;
  wave: number;
  facts: TurnFacts;
  reflecting: Reflecting;
  /** Of background work: the last step that was reported. */
  progress?: Progress;
  hooking: Hooking;
  tokens: number;
  /** Of these. */
  output_tokens: number;
  cost_usd: number;
}

/**
 * All that the loop needs to know to go on: folded from the log, carried along, and kept in snapshots. Plain JSON.
 * Changed in place, because every event passes here.
 */
export interface LoopState {
  /** The last event folded. */
  seq: number;
  settings: SessionState | null;
  /** What somebody chose: holds over what was said before that was known. */
  chosen: SessionSettings;
  messages: Message[];
  turn: TurnOfLoop | null;
  held: HeldInput[];
  turns: number;
  /** Of the last task list, those not done. */
  tasks: string[];
  /** What people decided lately, in words. */
  decisions: string[];
  /** The share of the context that an operator was last warned at. */
  warned: number | null;
  /** Who wants background work to wait, and why. */
  paused: { readonly actor: string; readonly reason: string } | null;
  /** The number of the last checkpoint. */
  checkpoints: number;
  /** Tools that were called in this session, so that they are offered again. */
  used: string[];
  /** Ids of the calls of this session, so that none is given twice. */
  ids: readonly TakenId[];
  /** Sub-agents that this session has started: they are numbered. */
  agents: number;
  evidence: EvidenceState;
}

export function newLoopState(): LoopState {
  return {
    seq: 0,
    settings: null,
    chosen: {},
    messages: [],
    turn: null,
    held: [],
    turns: 0,
    tasks: [],
    decisions: [],
    warned: null,
    used: [],
    ids: [],
    paused: null,
    checkpoints: 0,
    agents: 0,
    evidence: newEvidence(),
  };
}

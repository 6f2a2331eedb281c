import { isPausing, type Pausing } from "../events/kernel.ts";
import type { SessionState } from "../events/session.ts";
import type { FrontendFrame, FrontendPayload } from "../frames.ts";
import type { TurnEnd } from "../shown-status.ts";
import type { FrontendName } from "../stream-events.ts";
import { type Agent, hastened, withAgent } from "./agents.ts";
import { type FileChanges, type FileChange, fileChange, isDone, shownDiff, withChange } from "./files.ts";
import { type Task, tasksFrom, tasksOf } from "./tasks.ts";
import { isAccepted } from "./words/checks.ts";

export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly calls: number;
  /** Tokens of calls from before what was folded, which nobody can tell apart any more. */
  readonly earlier: number;
  /** Null: no call had a known price. */
  readonly cost: number | null;
  /** What the last call read and wrote: how full the context is. */
  readonly context: number;
}

type Told<N extends FrontendName> = FrontendPayload<N> & { readonly seq: number; readonly at: string };

/** What stands beside the timeline: the session as it is now. */
export interface Summary {
  /** Of the last event that said something here. */
  readonly seq: number;
  /** It was folded from the end alone: there may be more of everything than is counted. */
  readonly partial: boolean;
  readonly state: Partial<SessionState>;
  /** Since when it has this status. */
  readonly since: string | null;
  /** Somebody wants it to wait, and it goes on to where it can. */
  readonly pausing: Pausing | null;
  readonly turn: { readonly id: string; readonly at: string; readonly parked: boolean } | null;
  /** How the last turn ended; null while one is open, and where nothing says it. */
  readonly lastTurn: TurnEnd | null;
  readonly usage: Usage;
  readonly contextLimit: number | null;
  readonly tasks: readonly Task[];
  readonly health: Told<"health_snapshot"> | null;
  readonly retrieval: Told<"retrieval"> | null;
  readonly cognition: Told<"antahkarana"> | null;
  readonly sandbox: Told<"sandbox_notice"> | null;
  readonly verification: Told<"verification"> | null;
  /** Who took the work as it is, and why, where its evidence was not all there. */
  readonly accepted: string | null;
  readonly checkpoints: readonly Told<"session_checkpoint">[];
  readonly steps: readonly Told<"step_progress">[];
  readonly subagents: readonly Agent[];
  readonly policies: readonly Told<"policy_decision">[];
  readonly verdicts: readonly Told<"effect_verdict">[];
  readonly warnings: readonly Told<"context_warning">[];
  readonly compactions: readonly Told<"context_compacted">[];
  readonly diagnostics: readonly Told<"transport_diagnostic">[];
  /** What calls did to files; the one that was changed last is first. */
  readonly files: readonly FileChanges[];
  /** What calls that have not ended are about to do to files. */
  readonly writing: readonly FileChange[];
  /** What people were last shown of changes, by the call that makes them and the question about it. */
  readonly diffs: readonly { readonly requestId: string; readonly callId: string; readonly diff: string }[];
  /** Ids of questions without a decision. */
  readonly pending: readonly string[];
}

export const EMPTY_SUMMARY: Summary = {
  seq: 0,
  partial: false,
  state: {},
  since: null,
  pausing: null,
  turn: null,
  lastTurn: null,
  usage: { input: 0, output: 0, cached: 0, calls: 0, earlier: 0, cost: null, context: 0 },
  contextLimit: null,
  tasks: [],
  health: null,
  retrieval: null,
  cognition: null,
  sandbox: null,
  verification: null,
  accepted: null,
  checkpoints: [],
  steps: [],
  subagents: [],
  policies: [],
  verdicts: [],
  warnings: [],
  compactions: [],
  diagnostics: [],
  files: [],
  writing: [],
  diffs: [],
  pending: [],
};

type Handler<N extends FrontendName> = (
  summary: Summary,
  payload: FrontendPayload<N>,
  frame: FrontendFrame,
) => Partial<Summary>;

/** A list beside the timeline has so many at most, the newest: one that is as long may be longer. The log has the rest. */
export const SUMMARY_MOST = 1_000;
const MOST_DIFFS = 20;

const told = <P>(payload: P, { seq, at }: FrontendFrame) => ({ ...payload, seq, at });
const last = <T>(list: readonly T[], item: T): readonly T[] => [...list, item].slice(-SUMMARY_MOST);

const HANDLERS: { readonly [N in FrontendName]?: Handler<N> } = {
  session_state: (summary, payload, { at }) => ({
    state: { ...summary.state, ...payload },
    since: summary.state.status === payload.status ? summary.since : at,
    pausing: isPausing(payload.status) ? summary.pausing : null,
    // A parked turn that goes on says so here alone.
    turn:
      summary.turn !== null && payload.status === "running"
        ? { ...summary.turn, parked: false }
        : summary.turn,
  }),
  session_pausing: ({ state, pausing }, { actor, reason }) =>
    state.status === undefined || isPausing(state.status) ? { pausing: pausing ?? { actor, reason } } : {},
  session_resuming: ({ subagents }) => ({ pausing: null, subagents: hastened(subagents) }),
  turn_start: (_, { turn_id }, { at }) => ({ turn: { id: turn_id, at, parked: false }, lastTurn: null }),
  turn_end: ({ turn }, { turn_id, status }, { at }) => ({
    turn: status === "parked" ? { id: turn_id, at: turn?.at ?? at, parked: true } : null,
    lastTurn: status === "parked" ? null : status,
  }),
  usage: ({ usage }, said) => ({
    usage: {
      input: usage.input + said.input_tokens,
      output: usage.output + said.output_tokens,
      cached: usage.cached + (said.cached_input_tokens ?? 0),
      calls: usage.calls + 1,
      earlier: usage.earlier,
      cost: said.cost_usd === undefined ? usage.cost : (usage.cost ?? 0) + said.cost_usd,
      context: said.input_tokens + said.output_tokens,
    },
  }),
  context_warning: (summary, payload, frame) => ({
    contextLimit: payload.limit_tokens ?? summary.contextLimit,
    warnings: last(summary.warnings, told(payload, frame)),
  }),
  context_compacted: ({ compactions }, payload, frame) => ({
    compactions: last(compactions, told(payload, frame)),
  }),
  tool_call(summary, payload, frame) {
    const tasks = tasksOf(payload);
    const shown = summary.diffs.find(({ callId }) => callId === payload.tool_call_id)?.diff ?? null;
    const file = fileChange(payload, frame, shown);
    return {
      ...(tasks === undefined ? {} : { tasks }),
      ...(file === undefined ? {} : { writing: last(without(summary.writing, file.callId), file) }),
    };
  },
  tool_outcome({ files, writing }, { tool_call_id, status }) {
    const change = writing.find(({ callId }) => callId === tool_call_id);
    if (change === undefined) return {};
    return {
      writing: without(writing, tool_call_id),
      ...(isDone(status) ? { files: withChange(files, change, SUMMARY_MOST) } : {}),
    };
  },
  approval_required(summary, { request_id, tool_call_id: callId, shown }) {
    const diff = shownDiff(shown);
    const pending = [...summary.pending, request_id];
    if (callId === undefined || diff === null) return { pending };
    return { pending, diffs: [...summary.diffs, { requestId: request_id, callId, diff }].slice(-MOST_DIFFS) };
  },
  approval_applied: ({ pending, diffs }, { request_id, decision }) => ({
    pending: pending.filter((id) => id !== request_id),
    // What was shown is not what is done: the call itself says that.
    ...(decision === "edited" ? { diffs: diffs.filter(({ requestId }) => requestId !== request_id) } : {}),
  }),
  health_snapshot: (_, payload, frame) => ({ health: told(payload, frame) }),
  retrieval: (_, payload, frame) => ({ retrieval: told(payload, frame) }),
  antahkarana: (_, payload, frame) => ({ cognition: told(payload, frame) }),
  verification: (_, payload, frame) => ({ verification: told(payload, frame), accepted: null }),
  task_list: (_, { tasks }) => ({ tasks: tasksFrom(tasks) }),
  sandbox_notice: (_, payload, frame) => ({ sandbox: told(payload, frame) }),
  session_checkpoint: ({ checkpoints, ...summary }, payload, frame) => ({
    checkpoints: last(checkpoints, told(payload, frame)),
    ...(isAccepted(payload.summary_text ?? "") ? { accepted: payload.summary_text } : {}),
    // A branch begins: what waited stays with the session that asked, and what was used with the one that used it.
    ...(payload.checkpoint_type === "resume_seed"
      ? {
          pending: [],
          pausing: null,
          turn: null,
          subagents: [],
          accepted: null,
          steps: summary.steps.filter(({ status }) => status !== "running"),
          usage: { ...EMPTY_SUMMARY.usage, context: summary.usage.context },
        }
      : { turn: summary.turn }),
  }),
  step_progress: ({ steps }, payload, frame) => ({
    steps: last(
      steps.filter(({ step_id }) => step_id !== payload.step_id),
      told(payload, frame),
    ),
  }),
  subagent_event: ({ subagents }, payload, frame) => ({ subagents: withAgent(subagents, payload, frame) }),
  policy_decision: ({ policies }, payload, frame) => ({ policies: last(policies, told(payload, frame)) }),
  effect_verdict: ({ verdicts }, payload, frame) => ({ verdicts: last(verdicts, told(payload, frame)) }),
  transport_diagnostic: ({ diagnostics }, payload, frame) => ({
    diagnostics: last(diagnostics, told(payload, frame)),
  }),
};

/** The events that say something here: what a page asks the server for, to begin with. */
export const SUMMARY_EVENTS = Object.keys(HANDLERS) as readonly FrontendName[];

/** After one more frame. What comes twice changes nothing. */
export function evolveSummary(summary: Summary, frame: FrontendFrame): Summary {
  // A piece of text says nothing here: the same object says so to those who draw it.
  if (frame.seq <= summary.seq || !Object.hasOwn(HANDLERS, frame.type)) return summary;
  const moved = { ...summary, seq: frame.seq };
  const handle = HANDLERS[frame.type as FrontendName] as Handler<FrontendName>;
  try {
    return { ...moved, ...handle(moved, frame.payload as never, frame) };
  } catch {
    // A newer writer's payload may lack what we look for.
    return moved;
  }
}

/** A call that is tried again is one call. */
function without(changes: readonly FileChange[], call: string): readonly FileChange[] {
  return changes.filter(({ callId }) => callId !== call);
}

import { given } from "../given.ts";
import type { AnyEvent, EventData, EventType, Wait } from "@fairlead/contract";
import type { ToolArguments } from "../../ports/tool.ts";
import { foldHook, newHooking, withholdOwed } from "../hooks/fold.ts";
import { withoutQuestion } from "../kernel/decided.ts";
import { KERNEL_FOLDS } from "../kernel/fold.ts";
import { promptChange, withChange } from "../loop-supervision/prompt-change.ts";
import { foldOwed } from "../evidence/asked.ts";
import { foldCall, foldTasks } from "../evidence/evidence.ts";
import { EVIDENCE_FOLDS } from "../evidence/fold.ts";
import { HEALTH_ORIGIN } from "../health/enforced.ts";
import { foldSubagent, isAway } from "../delegation/fold.ts";
import { withTaken } from "./call-ids.ts";
import { FACT_TYPES, countFact, newFacts } from "./facts.ts";
import { foldAsked, foldOutcome, foldReflection, foldSkipped, newReflecting } from "./reflection.ts";
import { is } from "../event.ts";
import type { CallState, LoopState, Reserved, TurnOfLoop } from "./state.ts";

/** Changes when the same events would be folded into another state: older snapshots are then left alone. */
export const FOLD_VERSION = "7";

/**
 * Earlier rules whose snapshots can still be gone on with: what these lack is asked for again. For where the events
 * themselves are gone; elsewhere they are folded anew.
 */
export const EARLIER_FOLDS: ReadonlySet<string> = new Set(["6"]);

type Folds = { readonly [T in EventType]?: (state: LoopState, data: EventData<T>, event: AnyEvent) => void };

/** What each event makes of the state. Those that are not here change nothing. */
const FOLDS: Folds = {
  "runtime.session.state": (state, data) => void (state.settings = { ...data, ...state.chosen }),
  "runtime.session.configured": (state, { changes }) => {
    state.chosen = { ...state.chosen, ...changes };
    if (state.settings !== null) state.settings = { ...state.settings, ...changes };
  },
  ...KERNEL_FOLDS,
  "runtime.request.started": (state, { turn_id, input, attempt, input_id }, event) => {
    state.held = state.held.filter((held) => held.input_id !== input_id);
    state.turns += 1;
    state.evidence.asked = 0;
    state.evidence.missing = false;
    state.messages.push({ role: "user", text: input });
    state.turn = newTurn(turn_id, input, attempt ?? 1, event);
  },
  "runtime.turn.resumed": (state, { turn_id, attempt }) => {
    const turn = open(state, turn_id);
    if (turn === null) return;
    turn.attempt = attempt;
    // Nobody parked it: the process that drove it is gone.
    if (turn.waits === null) turn.losses += 1;
    turn.waits = null;
  },
  "runtime.turn.cancelling": (state, { turn_id, actor, reason }) => {
    const turn = open(state, turn_id);
    if (turn !== null) turn.cancelling ??= { actor, reason };
  },
  "runtime.turn.ended": (state, { turn_id, status, reason, waits }) => {
    const turn = open(state, turn_id);
    if (turn === null) return;
    if (status === "parked") {
      if (waits?.some(({ kind }) => kind === "timer") === true) turn.pauses += 1;
      // A decision can come before the words that wait for it.
      turn.waits = (waits ?? []).filter((wait) => isOpenWait(turn, wait));
      turn.losses = 0;
      return;
    }
    // Every call must have its answer, or no model takes the conversation again.
    for (const call of turn.calls)
      if (call.stage.at !== "done") close(state, call, `Not run: the turn ended (${status}).`, true);
    withholdOwed(state, turn);
    // A request without an answer would confuse the model, and one that does not say why.
    if (status !== "completed")
      state.messages.push({
        role: "assistant",
        text: `(This request got no answer: ${status}${reason === undefined ? "" : `, ${reason}`}.)`,
      });
    state.turn = null;
  },
  "runtime.input.queued": (state, { input_id, input, mode, actor }) =>
    void state.held.push({ input_id, input, mode, actor }),
  "runtime.input.taken": (state, { input_id, dropped }) => {
    const held = state.held.find((one) => one.input_id === input_id);
    if (held === undefined) return;
    state.held = state.held.filter((one) => one !== held);
    if (dropped !== undefined) return;
    state.messages.push({ role: "user", text: held.input });
    if (state.turn !== null) state.turn.answered = false;
  },
  // What a supervisor put in the place of a prompt stays there.
  "runtime.policy.decision": (state, { subject, outcome, details }, event) => {
    if (subject !== "pre_prompt" || outcome !== "modify" || open(state, event.turn_id) === null) return;
    const change = promptChange(details?.["modified_payload"]);
    const made = change === undefined ? undefined : withChange(state.messages, change);
    if (made !== undefined) state.messages = [...made];
  },
  "runtime.context.injected": (state, { turn_id, source, subject, text }) => {
    const turn = open(state, turn_id);
    if (turn === null) return;
    turn.informed.push(subject);
    foldAsked(turn, source, subject);
    foldOwed(state, turn, source, subject);
    if (text !== "") state.messages.push({ role: "user", text, injected: true });
  },
  "agent.output.completed": (state, data, event) => {
    const turn = open(state, event.turn_id);
    if (turn === null) return;
    const { text, step, tool_calls = [], finish_reason, provider, model, provider_data } = data;
    turn.step = step ?? turn.step + 1;
    turn.tries = 0;
    turn.pauses = 0;
    turn.losses = 0;
    turn.answered = tool_calls.length === 0;
    turn.output = text;
    turn.finish = finish_reason ?? null;
    turn.calls = tool_calls.map((requested) => ({ requested, stage: { at: "requested" }, runs: 0 }));
    state.ids = tool_calls.reduce((ids, { tool_call_id }) => withTaken(ids, tool_call_id), state.ids);
    state.messages.push({
      role: "assistant",
      text,
      ...(tool_calls.length === 0 ? {} : { tool_calls }),
      ...(provider_data === undefined ? {} : { provider_data }),
      ...(provider === undefined || model === undefined ? {} : { by: `${provider}/${model}` }),
    });
  },
  "agent.reflection": (state, data, event) => {
    const turn = open(state, event.turn_id);
    if (turn !== null) foldReflection(state, turn, data);
  },
  "runtime.transport.diagnostic": (state, { kind }, event) => {
    const turn = open(state, event.turn_id);
    if (turn !== null) foldSkipped(state, turn, kind);
  },
  "agent.output.superseded": (state, { attempt }, event) => {
    const turn = open(state, event.turn_id);
    if (turn !== null) turn.tries = Math.max(turn.tries, attempt);
  },
  "runtime.budget.reserved": (state, { turn_id, ...reserved }) => {
    const turn = open(state, turn_id);
    if (turn !== null) turn.reserved = given(reserved) as Reserved;
  },
  "agent.usage": (state, { total_tokens, output_tokens, cost_usd = 0, subagent }, event) => {
    const turn = open(state, event.turn_id);
    if (turn === null) return;
    if (subagent === undefined) turn.reserved = null;
    turn.tokens += total_tokens;
    turn.output_tokens += output_tokens;
    turn.cost_usd += cost_usd;
  },
  "agent.tool.invalid": (state, { tool_call_id, error, repaired }, event) => {
    const turn = open(state, event.turn_id);
    const call = callOf(turn, tool_call_id);
    if (turn === null || call === undefined || repaired === true) return;
    close(state, call, error, true);
    foldOutcome(turn, call, true);
    if (turn.calls.every(({ stage }) => stage.at === "done")) turn.misfits += 1;
  },
  "agent.tool.start": (state, data, event) => {
    const call = callOf(open(state, event.turn_id), data.tool_call_id);
    if (call === undefined) return;
    const { name, access = "write", effect = "once", parallel = false, delegates } = data;
    const { _tool_call_id: _, ...args } = data.arguments;
    call.started = { name, arguments: args, access, effect, parallel, ...given({ delegates }) };
    call.stage = { at: "ready" };
    if (!state.used.includes(name)) state.used.push(name);
  },
  "runtime.question.asked": (state, { request_id, tool_call_id, kind, shown, origin }, event) => {
    const turn = open(state, event.turn_id);
    const call = callOf(turn, tool_call_id);
    if (turn !== null && origin === HEALTH_ORIGIN) {
      turn.limit = { request_id, decision: null };
      // Asked while it waits for its sub-agents: these wait too, and it goes on with this decision.
      if (turn.waits !== null) turn.waits = [{ kind: "question", request_id }];
      return;
    }
    if (turn !== null && tool_call_id === undefined)
      turn.gate = { request_id, step: turn.step + 1, decision: null };
    if (call === undefined) return;
    call.stage = { at: "asked", request_id, about: kind === "approval" ? "approval" : "outcome" };
    if (kind === "approval") call.shown = shownCall(shown);
  },
  "runtime.question.decided": (state, data) => {
    state.decisions = [...state.decisions, inWords(data)].slice(-MOST_DECISIONS);
    const { request_id, decision, actor, note, edited, answer } = data;
    if (state.settings !== null) state.settings = withoutQuestion(state.settings, request_id);
    const { turn } = state;
    if (turn === null) return;
    if (turn.waits !== null)
      turn.waits = turn.waits.filter((wait) => wait.kind !== "question" || wait.request_id !== request_id);
    // Of a limit that was set anew nobody said no: whether the session may go on is looked at again.
    if (turn.limit?.request_id === request_id)
      turn.limit = data.moot === true ? null : { request_id, decision };
    if (turn.gate?.request_id === request_id) {
      const { step } = turn.gate;
      turn.gate = { request_id, step, decision, actor, ...given({ note, edited }) };
      if (decision === "edited" && typeof edited === "string")
        state.messages = [...(withChange(state.messages, { prompt: edited }) ?? state.messages)];
    }
    for (const call of turn.calls) {
      if (call.stage.at !== "asked" || call.stage.request_id !== request_id) continue;
      call.stage = {
        at: "decided",
        request_id,
        about: call.stage.about,
        decision,
        actor,
        ...given({ note, edited, answer }),
      };
    }
  },
  "agent.tool.batch": (state, { tool_call_ids, wave }, event) => {
    const turn = open(state, event.turn_id);
    if (turn === null) return;
    turn.wave = wave;
    for (const call of turn.calls) {
      if (!tool_call_ids.includes(call.requested.tool_call_id)) continue;
      call.stage = { at: "running" };
      call.runs += 1;
    }
  },
  "runtime.subagent.event": (state, data, event) =>
    foldSubagent(state, open(state, event.turn_id), data, event.stream),
  "runtime.hook.event": (state, data, event) => {
    const turn = open(state, event.turn_id);
    if (turn !== null) foldHook(state, turn, data);
  },
  "runtime.task.list": (state, { tasks }) => {
    state.tasks = tasks.filter(({ status }) => OPEN_TASKS.has(status)).map(({ title }) => title);
    foldTasks(state, tasks);
  },
  ...EVIDENCE_FOLDS,
  "agent.context.warning": (state, { usage_percent = 0 }) => void (state.warned = usage_percent / 100),
  "agent.context.compacted": (state, { summary, preserved_messages }) => {
    const kept = preserved_messages === 0 ? [] : state.messages.slice(-preserved_messages);
    state.messages = [{ role: "user", text: summary, injected: true }, ...kept];
    state.warned = null;
  },
  "runtime.effect.verdict": (state, { tool_call_id, verdict }, event) => {
    const call = callOf(open(state, event.turn_id), tool_call_id);
    if (call === undefined) return;
    if (verdict === "happened") call.unseen = true;
    else if (verdict !== "ask" && verdict !== "give_up") call.stage = { at: "ready" };
  },
  "agent.tool.result": (state, { tool_call_id, result }, event) => {
    const call = callOf(open(state, event.turn_id), tool_call_id);
    if (call !== undefined) call.said = typeof result === "string" ? result : JSON.stringify(result ?? null);
  },
  "agent.tool.outcome": (state, { tool_call_id, status, result, error }, event) => {
    const turn = open(state, event.turn_id);
    const call = callOf(turn, tool_call_id);
    if (turn === null || call === undefined || call.stage.at === "done") return;
    const failed = status !== "ok" && status !== "artifact";
    close(state, call, call.said ?? error ?? JSON.stringify(result ?? null), failed);
    foldOutcome(turn, call, failed);
    foldCall(state, call, { ok: !failed, ran: status !== "denied" });
    turn.misfits = 0;
    turn.losses = 0;
  },
};

/** The events that must be read to make a state. */
export const LOOP_TYPES = [...new Set([...Object.keys(FOLDS), ...FACT_TYPES])];

export function fold(state: LoopState, event: AnyEvent): void {
  const apply = FOLDS[event.type as EventType] as
    | ((s: LoopState, d: unknown, e: AnyEvent) => void)
    | undefined;
  apply?.(state, event.data, event);
  if (state.turn !== null && event.turn_id === state.turn.turn_id) countFact(state.turn.facts, event);
  state.seq = Math.max(state.seq, event.seq);
}

function newTurn(turn_id: string, input: string, attempt: number, event: AnyEvent): TurnOfLoop {
  const begun = is(event, "runtime.request.started");
  return {
    turn_id,
    started: begun ? event.id : null,
    input,
    actor: (begun ? event.data.actor : undefined) ?? null,
    attempt,
    losses: 0,
    step: 0,
    pauses: 0,
    tries: 0,
    calls: [],
    misfits: 0,
    waits: null,
    cancelling: null,
    gate: null,
    limit: null,
    reserved: null,
    informed: [],
    answered: false,
    output: "",
    finish: null,
    wave: 0,
    facts: newFacts(),
    reflecting: newReflecting(),
    hooking: newHooking(),
    tokens: 0,
    output_tokens: 0,
    cost_usd: 0,
  };
}

/** The turn, if that is the one the event is about. */
function open(state: LoopState, turn_id: string | null): TurnOfLoop | null {
  return state.turn?.turn_id === turn_id ? state.turn : null;
}

function callOf(turn: TurnOfLoop | null, tool_call_id: string | undefined): CallState | undefined {
  return turn?.calls.find(({ requested }) => requested.tool_call_id === tool_call_id);
}

function isAsked({ calls, gate, limit }: TurnOfLoop, request_id: string): boolean {
  if (limit?.request_id === request_id) return limit.decision === null;
  if (gate?.request_id === request_id) return gate.decision === null;
  return calls.some(({ stage }) => stage.at === "asked" && stage.request_id === request_id);
}

function isOpenWait(turn: TurnOfLoop, wait: Wait): boolean {
  if (wait.kind === "session") return isAway(turn, wait.session_id);
  return wait.kind !== "question" || isAsked(turn, wait.request_id);
}

const OPEN_TASKS: ReadonlySet<string> = new Set(["pending", "in_progress"]);
const MOST_DECISIONS = 20;

function inWords({ actor, decision, tool_name, note }: EventData<"runtime.question.decided">): string {
  return `${actor}: ${decision} ${tool_name}${note === undefined ? "" : ` (${note})`}`;
}

/** Of a question whose form this program does not know, nothing can be run. */
function shownCall(shown: unknown): NonNullable<CallState["shown"]> {
  const { tool, arguments: args, preview_hash } = (shown ?? {}) as Readonly<Record<string, unknown>>;
  return {
    name: typeof tool === "string" ? tool : "",
    arguments: (args ?? {}) as ToolArguments,
    ...(typeof preview_hash === "string" ? { preview_hash } : {}),
  };
}

function close(state: LoopState, call: CallState, text: string, failed: boolean): void {
  call.stage = { at: "done" };
  const { tool_call_id, name } = call.requested;
  state.messages.push({ role: "tool", tool_call_id, name, text, failed });
}

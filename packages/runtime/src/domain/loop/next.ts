import type { ReflectionTrigger, Wait } from "@fairlead/contract";
import { isSpent, stepsOf } from "../delegation/bounds.ts";
import type { OwedHook } from "../hooks/fold.ts";
import { type KernelStep, kernelStep } from "../kernel/next.ts";
import { reflectionDue } from "./reflection.ts";
import type { CallState, HeldInput, LoopState, TurnOfLoop } from "./state.ts";

export interface LoopLimits {
  /** Model calls in one turn. */
  readonly steps: number;
  /** Steps in a row whose calls do not fit their tools. */
  readonly misfits: number;
  /** Calls of one wave that run side by side. */
  readonly parallel: number;
  /** Processes in a row that may be lost over one step: it may be what kills them. */
  readonly losses: number;
  /** Sub-agents of one session at once. */
  readonly children: number;
}

/** What to do next. */
export type Step =
  | KernelStep
  /** There is nothing to do. */
  | { readonly kind: "idle" }
  /** A request was left waiting: begin its turn. */
  | { readonly kind: "begin"; readonly input: HeldInput }
  /** Ask the model; before that let it hear what was said meanwhile. */
  | {
      readonly kind: "call";
      readonly step: number;
      readonly attempt: number;
      readonly hear: readonly HeldInput[];
    }
  /** Let the model look back at what it did. */
  | {
      readonly kind: "reflect";
      readonly trigger: ReflectionTrigger;
      readonly step: number;
      readonly attempt: number;
    }
  /** Decide what may run. */
  | { readonly kind: "judge"; readonly calls: readonly CallState[] }
  /** Do what a person decided. */
  | { readonly kind: "settle"; readonly calls: readonly CallState[] }
  /** Run these, side by side. */
  | { readonly kind: "run"; readonly calls: readonly CallState[]; readonly wave: number }
  /** The sub-agents of these have ended: say what came of it. */
  | { readonly kind: "gather"; readonly calls: readonly CallState[] }
  /** These ran in a process that is gone: find out what that means. */
  | { readonly kind: "verdict"; readonly calls: readonly CallState[] }
  /** Hooks have a say about what these tools did. */
  | { readonly kind: "review"; readonly owed: readonly OwedHook[] }
  /** Nothing can be done before these are over. */
  | { readonly kind: "park"; readonly waits: readonly Wait[] }
  | { readonly kind: "complete"; readonly output: string; readonly reason: string | null }
  | { readonly kind: "cancel"; readonly actor: string; readonly reason: string }
  /** A hook has the last word. */
  | { readonly kind: "stop"; readonly reason: string }
  | { readonly kind: "fail"; readonly code: "step_limit" | "repair_limit" | "interrupted" | "budget" };

/** The next step. Pure, and total: whatever the state, there is one. */
export function next(state: LoopState, limits: LoopLimits): Step {
  const { turn } = state;
  const kernel = kernelStep(state);
  if (kernel !== undefined) return kernel;
  if (turn === null) {
    const [input] = state.held;
    return input === undefined ? { kind: "idle" } : { kind: "begin", input };
  }
  if (turn.cancelling !== null) return { kind: "cancel", ...turn.cancelling };
  // Also where nothing is left to wait for: what is parked goes on through `turn.resumed`, and never past it.
  if (turn.waits !== null) return { kind: "park", waits: turn.waits };
  if (turn.hooking.stopped !== null) return { kind: "stop", reason: turn.hooking.stopped };
  if (turn.losses >= limits.losses) return { kind: "fail", code: "interrupted" };
  if (turn.hooking.owed.length > 0) return { kind: "review", owed: turn.hooking.owed };
  return ofCalls(turn, limits) ?? ofAnswer(state, turn, limits);
}

function ofCalls(turn: TurnOfLoop, limits: LoopLimits): Step | undefined {
  const at = (stage: CallState["stage"]["at"]) => turn.calls.filter((call) => call.stage.at === stage);
  const lost = at("running");
  if (lost.length > 0) return { kind: "verdict", calls: lost };
  const fresh = at("requested");
  if (fresh.length > 0) return { kind: "judge", calls: fresh };
  const decided = at("decided");
  if (decided.length > 0) return { kind: "settle", calls: decided };
  const back = at("back");
  if (back.length > 0) return { kind: "gather", calls: back };
  // Sub-agents that were started together are waited for together, and what comes after them waits too.
  const away = at("away");
  if (away.length > 0)
    return ofLimit(turn) ?? { kind: "park", waits: [...away, ...at("asked")].flatMap(waitOf) };
  const left = turn.calls.filter((call) => call.stage.at !== "done");
  const [first] = left;
  if (first === undefined) return undefined;
  // In the order of the model: what waits for a person holds up all that comes after it.
  if (first.stage.at === "asked") return { kind: "park", waits: at("asked").flatMap(waitOf) };
  return ofLimit(turn) ?? { kind: "run", calls: waveOf(left, limits), wave: turn.wave + 1 };
}

/** Reads that follow each other run together; a write runs alone. Sub-agents are as many as there may be at once. */
function waveOf(left: readonly CallState[], { parallel, children }: LoopLimits): readonly CallState[] {
  let agents = 0;
  const end = left.findIndex(({ stage, started }) => {
    if (started?.delegates === true) agents += 1;
    return stage.at !== "ready" || started?.parallel !== true || agents > children;
  });
  return left.slice(0, Math.min(parallel, Math.max(1, end === -1 ? left.length : end)));
}

function waitOf({ stage, requested: { tool_call_id } }: CallState): Wait[] {
  if (stage.at === "away") return [{ kind: "session", session_id: stage.session_id, tool_call_id }];
  return stage.at === "asked" ? [{ kind: "question", request_id: stage.request_id }] : [];
}

/** What people are asked, or have said, about a limit. Anything but a yes leaves it where it is. */
function ofLimit({ limit }: TurnOfLoop): Step | undefined {
  if (limit === null || limit.decision === "approved") return undefined;
  if (limit.decision !== null) return { kind: "fail", code: "budget" };
  return { kind: "park", waits: [{ kind: "question", request_id: limit.request_id }] };
}

function ofAnswer(state: LoopState, turn: TurnOfLoop, limits: LoopLimits): Step {
  const limit = ofLimit(turn);
  if (limit !== undefined) return limit;
  if (turn.gate?.decision === null)
    return { kind: "park", waits: [{ kind: "question", request_id: turn.gate.request_id }] };
  const hear = state.held.filter(({ mode }) => mode === "steer");
  const steps = stepsOf(state, limits.steps);
  if (isSpent(state, turn) && !(turn.answered && hear.length === 0)) return { kind: "fail", code: "budget" };
  const trigger = isSpent(state, turn)
    ? null
    : reflectionDue(state, turn, { spoken: hear.length > 0, steps });
  if (trigger !== null) return { kind: "reflect", trigger, step: turn.step + 1, attempt: turn.tries + 1 };
  if (turn.answered && hear.length === 0)
    return { kind: "complete", output: turn.output, reason: turn.finish };
  if (turn.misfits >= limits.misfits) return { kind: "fail", code: "repair_limit" };
  if (turn.step >= steps) return { kind: "fail", code: "step_limit" };
  return { kind: "call", step: turn.step + 1, attempt: turn.tries + 1, hear };
}

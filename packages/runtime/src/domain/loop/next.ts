import type { ReflectionTrigger, Wait } from "@fairlead/contract";
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
}

/** What to do next. */
export type Step =
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
  /** These ran in a process that is gone: find out what that means. */
  | { readonly kind: "verdict"; readonly calls: readonly CallState[] }
  /** Nothing can be done before these are over. */
  | { readonly kind: "park"; readonly waits: readonly Wait[] }
  | { readonly kind: "complete"; readonly output: string; readonly reason: string | null }
  | { readonly kind: "cancel"; readonly reason: string }
  | { readonly kind: "fail"; readonly code: "step_limit" | "repair_limit" | "interrupted" };

/** The next step. Pure, and total: whatever the state, there is one. */
export function next(state: LoopState, limits: LoopLimits): Step {
  const { turn } = state;
  if (turn === null) {
    const [input] = state.held;
    return input === undefined ? { kind: "idle" } : { kind: "begin", input };
  }
  if (turn.cancelling !== null) return { kind: "cancel", reason: turn.cancelling };
  if (turn.waits !== null && turn.waits.length > 0) return { kind: "park", waits: turn.waits };
  if (turn.losses >= limits.losses) return { kind: "fail", code: "interrupted" };
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
  const left = turn.calls.filter((call) => call.stage.at !== "done");
  const [first] = left;
  if (first === undefined) return undefined;
  // In the order of the model: what waits for a person holds up all that comes after it.
  if (first.stage.at === "asked") return { kind: "park", waits: at("asked").flatMap(waitOf) };
  return { kind: "run", calls: waveOf(left, limits.parallel), wave: turn.wave + 1 };
}

/** Reads that follow each other run together; a write runs alone. */
function waveOf(left: readonly CallState[], most: number): readonly CallState[] {
  const end = left.findIndex((call) => !(call.stage.at === "ready" && call.started?.parallel === true));
  return left.slice(0, Math.min(most, Math.max(1, end === -1 ? left.length : end)));
}

function waitOf({ stage }: CallState): Wait[] {
  return stage.at === "asked" ? [{ kind: "question", request_id: stage.request_id }] : [];
}

function ofAnswer(state: LoopState, turn: TurnOfLoop, limits: LoopLimits): Step {
  if (turn.gate?.decision === null)
    return { kind: "park", waits: [{ kind: "question", request_id: turn.gate.request_id }] };
  const hear = state.held.filter(({ mode }) => mode === "steer");
  const trigger = reflectionDue(state, turn, { spoken: hear.length > 0, steps: limits.steps });
  if (trigger !== null) return { kind: "reflect", trigger, step: turn.step + 1, attempt: turn.tries + 1 };
  if (turn.answered && hear.length === 0)
    return { kind: "complete", output: turn.output, reason: turn.finish };
  if (turn.misfits >= limits.misfits) return { kind: "fail", code: "repair_limit" };
  if (turn.step >= limits.steps) return { kind: "fail", code: "step_limit" };
  return { kind: "call", step: turn.step + 1, attempt: turn.tries + 1, hear };
}

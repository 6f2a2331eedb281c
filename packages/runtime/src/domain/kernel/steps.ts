import type { NewEvent } from "@fairlead/contract";
import type { LoopState, TurnOfLoop } from "../loop/state.ts";
import { checkpointEvent } from "./checkpoint.ts";

/** The last step that was reported, and whether that was its end. */
export interface Progress {
  readonly index: number;
  readonly status: string;
}

export type StepEnd = "completed" | "failed" | "cancelled";

/** Before a model call of background work: the step before it is over, and this one begins. Nothing when it has begun. */
export function beginStep(state: LoopState, session_id: string, step: number): NewEvent[] {
  const { turn } = state;
  if (turn === null || (turn.progress?.index === step && turn.progress.status === "running")) return [];
  return [...endStep(state, session_id, "completed"), progressEvent(turn, step, "running")];
}

/** The end of the step under way, with a checkpoint; nothing when none is. */
export function endStep(state: LoopState, session_id: string, status: StepEnd): NewEvent[] {
  const { turn } = state;
  if (turn === null || turn.progress?.status !== "running") return [];
  const { index } = turn.progress;
  const title = titleOf(turn, index);
  return [
    progressEvent(turn, index, status, title),
    checkpointEvent({
      session_id,
      after: state.checkpoints,
      type: "step",
      status: status === "completed" ? "completed" : status,
      summary: `${idOf(index)} ${status}: ${title}`,
      details: { step: index, turn_id: turn.turn_id },
    }),
  ];
}

function progressEvent(
  { turn_id }: TurnOfLoop,
  index: number,
  status: string,
  title?: string,
): NewEvent<"agent.step.progress"> {
  return {
    type: "agent.step.progress",
    data: { step_id: idOf(index), status, index, turn_id, ...(title === undefined ? {} : { title }) },
  };
}

function idOf(index: number): string {
  return `step-${index}`;
}

/** By its tools, never by what the model said: a cut in a sentence can leave half of a secret that nobody knows for one. */
function titleOf({ step, calls, answered }: TurnOfLoop, index: number): string {
  // The model was asked and has not answered: what it called for is the step before.
  if (step !== index) return "asked the model";
  const names = [...new Set(calls.map(({ started, requested }) => started?.name ?? requested.name))];
  if (names.length > 0) return names.join(", ");
  return answered ? "answered" : "asked the model";
}

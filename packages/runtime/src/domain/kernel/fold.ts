import type { AnyEvent, EventData } from "@fairlead/contract";
import { foldChange } from "../evidence/evidence.ts";
import type { LoopState } from "../loop/state.ts";

/** What the loop carries of background work. */
export const KERNEL_FOLDS = {
  "runtime.session.pausing": (
    state: LoopState,
    { actor, reason }: EventData<"runtime.session.pausing">,
  ): void => void (state.paused ??= { actor, reason }),
  "runtime.session.resuming": (state: LoopState): void => {
    state.paused = null;
    const { turn } = state;
    if (turn !== null && turn.waits !== null) turn.waits = turn.waits.filter(({ kind }) => kind !== "timer");
  },
  "runtime.session.checkpoint": (
    state: LoopState,
    { sequence, checkpoint_type }: EventData<"runtime.session.checkpoint">,
  ): void => {
    state.checkpoints = sequence;
    // A branch has the history of another session, and not for sure its files: it shows again what holds of them.
    if (checkpoint_type === "resume_seed") foldChange(state);
  },
  "agent.step.progress": (
    state: LoopState,
    { index, status }: EventData<"agent.step.progress">,
    { turn_id }: AnyEvent,
  ): void => {
    if (state.turn?.turn_id === turn_id && index !== undefined) state.turn.progress = { index, status };
  },
};

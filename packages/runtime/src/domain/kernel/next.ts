import type { HeldInput, LoopState } from "../loop/state.ts";
import { delegationOf } from "../delegation/surface.ts";
import { BACKGROUND, hasEnded, isBackground } from "./background.ts";

/** What only background work does. */
export type KernelStep =
  | { readonly kind: "idle" }
  /** Somebody wants it to wait: at this boundary nothing more is begun. */
  | { readonly kind: "park"; readonly waits: readonly [] }
  /** It waits already, for something else: say that it is paused. */
  | { readonly kind: "hold" }
  /** What was said to a session that has ended is heard by nobody. */
  | { readonly kind: "drop"; readonly inputs: readonly HeldInput[] };

/**
 * Whether it can be made to wait: background work, and what was delegated, until that is done. What a chat inherits from
 * background work does not bind it, and what people ask of a sub-agent later is theirs.
 */
export function canWait(state: LoopState): boolean {
  const kind = state.settings?.kind;
  if (kind === BACKGROUND) return true;
  // A branch of a sub-agent's session is a chat.
  if (kind !== "subagent" || delegationOf(state) === null) return false;
  return state.turns === (state.turn === null ? 0 : 1);
}

/** Whether somebody wants it to wait. */
export function isPaused(state: LoopState): boolean {
  return state.paused !== null && canWait(state);
}

/** The step that the state of background work makes of whatever would come next; undefined where that may come. */
export function kernelStep(state: LoopState): KernelStep | undefined {
  const { settings, turn, held } = state;
  if (isBackground(settings) && turn === null && hasEnded(settings))
    return held.length > 0 ? { kind: "drop", inputs: held } : { kind: "idle" };
  // The end of a turn comes before a pause in it.
  if (!isPaused(state) || (turn !== null && turn.cancelling !== null)) return undefined;
  if (turn !== null && turn.waits === null) return { kind: "park", waits: [] };
  return settings?.status === "paused" ? { kind: "idle" } : { kind: "hold" };
}

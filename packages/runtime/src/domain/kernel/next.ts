import type { HeldInput, LoopState } from "../loop/state.ts";
import { hasEnded, isBackground } from "./background.ts";

/** What only background work does. */
export type KernelStep =
  | { readonly kind: "idle" }
  /** Somebody wants it to wait: at this boundary nothing more is begun. */
  | { readonly kind: "park"; readonly waits: readonly [] }
  /** It waits already, for something else: say that it is paused. */
  | { readonly kind: "hold" }
  /** What was said to a session that has ended is heard by nobody. */
  | { readonly kind: "drop"; readonly inputs: readonly HeldInput[] };

/** Whether somebody wants it to wait. What a chat inherits from background work does not bind it. */
export function isPaused({ settings, paused }: LoopState): boolean {
  return isBackground(settings) && paused !== null;
}

/** The step that the state of background work makes of whatever would come next; undefined where that may come. */
export function kernelStep({ settings, turn, paused, held }: LoopState): KernelStep | undefined {
  if (!isBackground(settings)) return undefined;
  if (turn === null && hasEnded(settings))
    return held.length > 0 ? { kind: "drop", inputs: held } : { kind: "idle" };
  // The end of a turn comes before a pause in it.
  if (paused === null || (turn !== null && turn.cancelling !== null)) return undefined;
  if (turn !== null && turn.waits === null) return { kind: "park", waits: [] };
  return settings.status === "paused" ? { kind: "idle" } : { kind: "hold" };
}

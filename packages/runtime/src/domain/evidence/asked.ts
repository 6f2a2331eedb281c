import { SOURCE } from "../loop/reflection.ts";
import type { LoopState, TurnOfLoop } from "../loop/state.ts";

export { SOURCE };
/** What the words are about in which the model is told what it owes. */
export const EVIDENCE = "evidence";

/** It has said its last word too early. */
export function foldOwed(state: LoopState, turn: TurnOfLoop, source: string, subject: string): void {
  if (source !== SOURCE || subject !== EVIDENCE) return;
  state.evidence.asked += 1;
  turn.answered = false;
}

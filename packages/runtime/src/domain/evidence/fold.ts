import type { AnyEvent, Effect, EventData } from "@fairlead/contract";
import type { LoopState } from "../loop/state.ts";
import { foldChange } from "./evidence.ts";

/** What becomes of evidence by events that no call of the model's made. */
export const EVIDENCE_FOLDS = {
  "runtime.execution.contract.failed": (state: LoopState): void => void (state.evidence.missing = true),
  // Of one that says nothing about its effect, whatever it may have.
  "runtime.tool.direct.started": (
    state: LoopState,
    { effect = "once" }: EventData<"runtime.tool.direct.started"> & { readonly effect?: Effect },
    { turn_id }: AnyEvent,
  ): void => {
    if (effect !== "none") foldDirect(state, turn_id, true);
  },
  "runtime.tool.direct.completed": (state: LoopState, _: unknown, { turn_id }: AnyEvent): void => {
    if (state.evidence.direct?.includes(turn_id ?? "") === true) foldDirect(state, turn_id, false);
  },
};

/** A tool that people run beside the model may change something at any moment until it has ended. */
function foldDirect(state: LoopState, request: string | null, open: boolean): void {
  const { evidence } = state;
  foldChange(state);
  const id = request ?? "";
  const others = (evidence.direct ?? []).filter((one) => one !== id);
  evidence.direct = open ? [...others, id] : others;
}

import { MOST_OUTPUT, type Reserve } from "../../domain/budget/reserve.ts";
import type { CallResult } from "../turn/call.ts";

const CUT = "The answer was cut off where the budget ended.";

/**
 * An answer that ended only because no more was left to put aside for it is none: a turn that took it for one would be
 * completed with half a sentence. What the model ends by itself, or at the longest answer there is, stays as it is.
 */
export function unlessCutOff(result: CallResult, reserve: Reserve | undefined): CallResult {
  if (result.kind !== "answer" || result.reason !== "length" || reserve === undefined) return result;
  const { max_output_tokens: most } = reserve;
  const { usage } = result;
  if (most >= MOST_OUTPUT || (usage?.output_tokens ?? most) < most) return result;
  return {
    kind: "failure",
    code: "budget",
    error: CUT,
    fault: "refused",
    refused: false,
    ...(usage === undefined ? {} : { usage }),
  };
}

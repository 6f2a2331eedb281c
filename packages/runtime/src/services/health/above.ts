import type { Crossing, HealthState } from "../../domain/health/state.ts";
import { crossedBelow, sharedPolicy } from "../../domain/health/tree.ts";
import type { Drive } from "../loop/context.ts";
import { enforceAbove, treeOf } from "./tree.ts";

/**
 * Whether the policy of the session at the top lets a sub-agent take another step. Where not, what it says is done to that
 * session, and all that it delegated waits with it. Reads only where there is such a policy.
 */
export async function withinAbove(drive: Drive): Promise<boolean> {
  const tree = await treeOf(drive, ({ policy }) => Object.keys(sharedPolicy(policy)).length > 0);
  if (tree === undefined) return true;
  const over = (top: HealthState): readonly Crossing[] =>
    crossedBelow(top, tree.own, tree.others, drive.clock.now());
  if (over(tree.top).length === 0) return true;
  await enforceAbove(drive, tree, over);
  return false;
}

import { toldSoFar } from "../../domain/delegation/surface.ts";
import { measuredOf } from "../../domain/health/below.ts";
import { isCountNews } from "../../domain/health/said-below.ts";
import type { Crossing, HealthState } from "../../domain/health/state.ts";
import { crossedBelow, sharedPolicy } from "../../domain/health/tree.ts";
import type { Drive } from "../loop/context.ts";
import { enforceAbove, type Tree, treeOf } from "./tree.ts";

/**
 * Whether the policy of the session at the top lets a sub-agent take another step. Where not, what it says is done to that
 * session, and all that it delegated waits with it. Reads only where there is such a policy.
 */
export async function withinAbove(drive: Drive): Promise<boolean> {
  const tree = await treeOf(drive, ({ policy }) => Object.keys(sharedPolicy(policy)).length > 0);
  if (tree === undefined) return true;
  tellCounted(drive, tree);
  const over = (top: HealthState): readonly Crossing[] =>
    crossedBelow(top, tree.own, tree.others, drive.clock.now());
  if (over(tree.top).length === 0) return true;
  await enforceAbove(drive, tree, over);
  return false;
}

/** Who looks at the session at the top sees it while it waits, and not only when what it delegated has ended. */
function tellCounted({ journal, session }: Drive, { top, own }: Tree): void {
  const measured = measuredOf(own);
  if (measured === undefined || !isCountNews(top, session, own)) return;
  for (const told of toldSoFar(journal.state, session, { measured })) journal.beside(told);
}

import type { AhpEvent } from "@fairlead/ahp";
import type { Budget, HistoryCounts, PolicyInput } from "../policy/input.ts";
import { statsOf, type Tally, usedBy } from "./tally.ts";

/** Can be nobody's workspace: every absolute path lies outside. */
const NO_WORKSPACE = "/";

export interface Circumstances {
  readonly event: AhpEvent;
  readonly tally: Tally;
  /** Actions beside the one in question that count, though nothing has come of them yet. */
  readonly underWay: number;
  readonly history: HistoryCounts;
  readonly budget: Budget["limits"];
  readonly workspace: string | undefined;
  readonly now: number;
}

/** All that rules decide from. Where agents may work is always given: it is not theirs to say. */
export function policyInput(given: Circumstances): PolicyInput {
  const { event, tally, underWay, history, budget, workspace = NO_WORKSPACE, now } = given;
  const stats = statsOf(tally, now);
  const used = usedBy(tally, now);
  return {
    event,
    stats: { ...stats, total_actions: stats.total_actions + underWay },
    budget: { limits: budget, used: { ...used, actions: used.actions + underWay } },
    history,
    workspace,
  };
}

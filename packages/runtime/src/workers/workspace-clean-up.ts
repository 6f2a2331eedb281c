import { whenDue, type WhenDueDeps } from "./when-due.ts";
import type { Worker } from "./worker.ts";

export interface WorkspaceCleanUpDeps extends Pick<WhenDueDeps, "clock" | "timers" | "report"> {
  readonly cleanUp: () => Promise<unknown>;
  readonly lookMs?: number;
}

const LOOK_MS = 3_600_000;

/** Takes away, once in a while, the workspaces that nobody needs. */
export function workspaceCleanUp({ cleanUp, lookMs = LOOK_MS, ...rest }: WorkspaceCleanUpDeps): Worker {
  return whenDue({ act: cleanUp, nextDue: async () => null, onSet: () => () => {}, lookMs, ...rest });
}

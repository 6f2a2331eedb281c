import type { EventData, SessionRow } from "@fairlead/contract";
import { isEnd } from "../delegation/status.ts";

/** A sub-agent that waits for a time. */
export interface WaitsBelow {
  readonly agent_id: string;
  readonly until: string;
}

/** Those that do, after one more word about one of them. */
export function waitsAfter(
  before: readonly WaitsBelow[],
  { agent_id, status, until }: EventData<"runtime.subagent.event">,
): readonly WaitsBelow[] {
  const others = before.filter((one) => one.agent_id !== agent_id);
  return until === undefined || isEnd(status) ? others : [...others, { agent_id, until }];
}

/** What background work waits for by itself, and a resume does not wait for; null where it is none. */
export function waitOf(
  { kind, status, state, pausing }: SessionRow,
  below: readonly WaitsBelow[],
): { readonly until: string; readonly reason: string } | null {
  // A resume would take the pause back, and try nothing.
  if (kind !== "background" || pausing != null) return null;
  const { kind: why, until, reason } = state?.resume_context ?? {};
  if (status === "queued" && why === "timer" && typeof until === "string")
    return said(until, typeof reason === "string" ? reason : "It waits for a time.");
  if (status !== "running" || why !== "delegated") return null;
  const last = below
    .map((one) => one.until)
    .toSorted()
    .at(-1);
  return last === undefined ? null : said(last, "What it delegated waits.");
}

function said(until: string, why: string) {
  return { until, reason: `${why} It goes on by itself at ${until}.` };
}

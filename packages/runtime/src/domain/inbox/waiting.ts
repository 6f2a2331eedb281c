import type { EventData, SessionRow } from "@fairlead/contract";
import { isEnd } from "../delegation/status.ts";
import { given } from "../given.ts";

/** A sub-agent that waits for a time. */
export interface WaitsBelow {
  readonly agent_id: string;
  readonly until: string;
  readonly reason?: string;
}

/** Those that do, after one more word about one of them. */
export function waitsAfter(
  before: readonly WaitsBelow[],
  { agent_id, status, until, reason }: EventData<"runtime.subagent.event">,
): readonly WaitsBelow[] {
  const others = before.filter((one) => one.agent_id !== agent_id);
  return until === undefined || isEnd(status)
    ? others
    : [...others, { agent_id, until, ...given({ reason }) }];
}

/** What background work waits for by itself, and a resume does not wait for; null where it is none. */
export function waitOf(
  { kind, status, state, pausing }: SessionRow,
  below: readonly WaitsBelow[],
): { readonly until: string; readonly reason: string } | null {
  // A resume would take the pause back, and try nothing.
  if (kind !== "background" || pausing != null) return null;
  const timer = timerOf({ status, state });
  if (timer !== null) return timer;
  if (status !== "running" || state?.resume_context?.["kind"] !== "delegated") return null;
  const last = below.toSorted((a, b) => (a.until < b.until ? -1 : 1)).at(-1);
  if (last === undefined) return null;
  return said(last.until, ["What it delegated waits.", last.reason ?? ""].join(" ").trim());
}

/** The time that a session of any kind says that it waits for. */
export function timerOf({
  status,
  state,
}: Pick<SessionRow, "status" | "state">): { readonly until: string; readonly reason: string } | null {
  const { kind, until, reason } = state?.resume_context ?? {};
  if (status !== "queued" || kind !== "timer" || typeof until !== "string") return null;
  return said(until, typeof reason === "string" ? reason : "It waits for a time.");
}

function said(until: string, why: string) {
  return { until, reason: `${why} It goes on by itself at ${until}.` };
}

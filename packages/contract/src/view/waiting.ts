import type { Summary } from "./summary.ts";

/** A time that work waits for by itself. A resume does not wait for it. */
export interface Waiting {
  readonly until: string;
  /** Null where it is what was delegated that waits: each sub-agent says its own. */
  readonly reason: string | null;
}

/** What background work waits for that could be tried now, as the kernel goes by it. */
export function waitingOf(summary: Pick<Summary, "state" | "subagents">): Waiting | null {
  return summary.state.kind === "background" ? waitsFor(summary) : null;
}

/** The time that a session of any kind waits for, whoever could have it tried now. */
export function waitsFor({ state, subagents }: Pick<Summary, "state" | "subagents">): Waiting | null {
  const { kind, until, reason } = state.resume_context ?? {};
  if (state.status === "queued" && kind === "timer" && typeof until === "string")
    return { until, reason: typeof reason === "string" ? reason : null };
  if (state.status !== "running" || kind !== "delegated") return null;
  const last = subagents
    .flatMap((agent) => agent.until ?? [])
    .toSorted()
    .at(-1);
  return last === undefined ? null : { until: last, reason: null };
}

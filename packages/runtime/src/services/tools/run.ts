import type { GuardedCall } from "../../domain/guard/types.ts";
import type { Timers } from "../../ports/timers.ts";
import type { Tool, ToolContext } from "../../ports/tool.ts";
import type { ToolLimits } from "./limits.ts";
import { failure, outcomeOf, type Settled } from "./outcome.ts";
import type { ToolOutcome } from "./types.ts";

export interface RunDeps {
  readonly timers: Timers;
  /** Counts milliseconds, fractions included. */
  readonly stopwatch: () => number;
  readonly limits: ToolLimits;
}

/** Why a tool was told to stop. */
type Stop = "timeout" | "cancelled";

/**
 * Runs a tool to an outcome. Invariants:
 * 1. It never rejects, whatever the tool throws or returns.
 * 2. It ends: a tool that goes on after it was told to stop is given up after a grace period.
 * 3. What a tool returned counts, even when it was told to stop meanwhile: it happened.
 */
export async function runTool(
  { timers, stopwatch, limits }: RunDeps,
  tool: Tool,
  call: GuardedCall,
  context: ToolContext,
): Promise<ToolOutcome> {
  const start = stopwatch();
  const elapsed = () => Math.max(0, Math.round(stopwatch() - start));
  if (context.signal.aborted) return failure("cancelled", "Cancelled before it started.", elapsed());

  const abort = new AbortController();
  let why: Stop | undefined;
  const calledOff: (() => void)[] = [];
  const givenUp = new Promise<Settled>((resolve) => {
    const stop = (reason: Stop) => {
      if (why !== undefined) return;
      why = reason;
      calledOff.push(timers.after(limits.graceMs, () => resolve({ how: "given_up" })));
      abort.abort(new DOMException(reason, reason === "timeout" ? "TimeoutError" : "AbortError"));
    };
    calledOff.push(timers.after(tool.timeoutMs, () => stop("timeout")));
    const cancel = () => stop("cancelled");
    context.signal.addEventListener("abort", cancel, { once: true });
    calledOff.push(() => context.signal.removeEventListener("abort", cancel));
  });

  try {
    const settled = await Promise.race([settle(tool, call, { ...context, signal: abort.signal }), givenUp]);
    return outcomeOf({ settled, why, tool, call, turn_id: context.turn_id, elapsed_ms: elapsed(), limits });
  } finally {
    for (const off of calledOff) off();
  }
}

/** Also what throws before there is a promise. */
async function settle(tool: Tool, call: GuardedCall, context: ToolContext): Promise<Settled> {
  try {
    return { how: "returned", output: await tool.run(call.arguments, context) };
  } catch (error) {
    return { how: "threw", error };
  }
}

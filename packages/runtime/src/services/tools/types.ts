import type { NewEvent, RequestedCall, ToolOutcomeStatus } from "@fairlead/contract";
import type { Guarded, GuardedCall } from "../../domain/guard/types.ts";
import type { Child, Tool, ToolContext, ToolOutput, ToolPreview } from "../../ports/tool.ts";

/** Which tools a step is offered, and why. */
export interface Offer {
  readonly tools: readonly Tool[];
  /** `all`, or how they were ranked. */
  readonly method: string;
  /** By name; empty when all were offered. */
  readonly scores: Readonly<Record<string, number>>;
}

/** How a call ended, as it is recorded and as the model is told. */
export interface ToolOutcome {
  readonly status: ToolOutcomeStatus;
  /** `ToolExecutionResult`, `ToolTimeout`, `ToolError`, `ToolDenied` or `ToolArtifact`. */
  readonly outcome_type: string;
  readonly elapsed_ms: number;
  readonly result?: unknown;
  readonly error?: string;
  /** What the model is told. */
  readonly told: string;
  readonly children?: readonly Child[];
  /** Recorded in the same commit: a new task list, an artifact. */
  readonly events: readonly NewEvent[];
}

/** The one way to tools: for the loop, for adapters and for direct requests. */
export interface ToolGateway {
  /**
   * Resolves when the tools of every source are known, for those that are being reached after a bounded wait or
   * when `signal` is aborted. At once when nothing is pending. Never rejects.
   */
  ready(signal?: AbortSignal): Promise<void>;
  /** Every tool there is now, in a stable order. */
  tools(): readonly Tool[];
  tool(name: string): Tool | undefined;
  /** The tools for one step: all of them, or where there are many those that rank best for what is asked. */
  offer(query: string, also: readonly string[]): Offer;
  /** Between model and execution. A call that does not pass is never run. Never rejects. */
  check(call: RequestedCall, workspace: string): Promise<Guarded>;
  /** What a person is shown beside the arguments. Never rejects. */
  preview(call: GuardedCall, context: Omit<ToolContext, "signal">): Promise<ToolPreview>;
  /** Runs to an outcome, whatever the tool does. Never rejects. */
  run(call: GuardedCall, context: ToolContext): Promise<ToolOutcome>;
  /** The outcome of a call that was worked on elsewhere: bounded and recorded as if the tool had returned this here. */
  outcome(
    call: GuardedCall,
    output: ToolOutput,
    about: { readonly turn_id: string; readonly elapsed_ms: number },
  ): ToolOutcome;
  close(): Promise<void>;
}

import type { NewEvent } from "@fairlead/contract";
import type { Child } from "./tool.ts";

export interface ToolFailureDetails {
  /** `timeout`: the tool's own time was up. `cancelled`: it was told to stop and did. */
  readonly kind?: "error" | "timeout" | "cancelled";
  readonly children?: readonly Child[];
  /** Recorded with the outcome, as those of a result are. */
  readonly events?: readonly NewEvent[];
}

/** What a tool rejects with when there is more to record than a message. Any other error counts as `error`. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  readonly kind: "error" | "timeout" | "cancelled";
  readonly children: readonly Child[];
  readonly events: readonly NewEvent[];

  constructor(message: string, { kind = "error", children = [], events = [] }: ToolFailureDetails = {}) {
    super(message);
    this.kind = kind;
    this.children = children;
    this.events = events;
  }
}

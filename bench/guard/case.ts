import type { FaultKind } from "../../packages/runtime/src/domain/guard/types.ts";
import type { Tool, ToolSpec } from "../../packages/runtime/src/ports/tool.ts";

export type Arguments = Readonly<Record<string, unknown>>;

/** A call that is right, and the tools it was made for. */
export interface Case {
  readonly id: string;
  readonly tools: readonly Tool[];
  readonly name: string;
  readonly arguments: Arguments;
}

/** What a model would send. */
export interface Sent {
  readonly name: string;
  readonly text: string;
}

/** A call with one thing wrong, made from one that is right. */
export interface Faulty extends Sent {
  readonly kind: FaultKind;
  /** In a word or two, for the table of what went wrong. */
  readonly how: string;
}

/** What ran, as the tool itself saw it. */
export interface Ran {
  readonly name: string;
  readonly arguments: Arguments;
}

/** A tool that keeps what it was called with. */
export function recordingTool(spec: ToolSpec, ran: Ran[], more: Partial<Tool> = {}): Tool {
  return {
    spec,
    access: "read",
    effect: "none",
    timeoutMs: 1_000,
    parallel: true,
    origin: "bench",
    ...more,
    async run(args) {
      ran.push({ name: spec.name, arguments: args });
      return { result: null };
    },
  };
}

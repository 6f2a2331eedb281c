import type { ToolArguments } from "../../ports/tool.ts";

/** What can be wrong with a call. */
export const FAULT_KINDS = [
  "unknown_tool",
  "misspelt_name",
  "unparsable",
  "missing",
  "type",
  "enum",
  "extra",
  /** Another rule of the schema: a range, a length, a format, a combination. */
  "schema",
  "path",
  "semantic",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface GuardFault {
  readonly kind: FaultKind;
  /** JSON Pointer into the arguments; empty for the call as a whole. */
  readonly at: string;
  /** A precise sentence for the model: what is wrong and what would be right. */
  readonly error: string;
}

/** A call that may go on: the tool exists and the arguments fit it. */
export interface GuardedCall {
  readonly tool_call_id: string;
  readonly name: string;
  readonly arguments: ToolArguments;
  /** What was mended by itself, in words; empty when the call was right. */
  readonly repairs: readonly GuardFault[];
}

export type Guarded =
  | { readonly ok: true; readonly call: GuardedCall }
  | { readonly ok: false; readonly faults: readonly [GuardFault, ...GuardFault[]] };

/** Each part can be left out alone. */
export interface GuardParts {
  /** Unknown and misspelt names. Without it an unknown tool is still never run: it has nothing to run. */
  readonly names: boolean;
  /** Mends JSON that does not parse. */
  readonly json: boolean;
  /** The tool's own JSON Schema. */
  readonly schema: boolean;
  /** Numeric strings for numbers, and the like. */
  readonly coerce: boolean;
  readonly paths: boolean;
  readonly semantics: boolean;
}

export const ALL_PARTS: GuardParts = {
  names: true,
  json: true,
  schema: true,
  coerce: true,
  paths: true,
  semantics: true,
};

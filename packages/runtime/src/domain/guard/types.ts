import type { Tool, ToolArguments } from "../../ports/tool.ts";

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

/** A fault that a schema found, with what would fit: enough to mend it where that is safe. */
export interface SchemaFault extends GuardFault {
  readonly wants?: {
    /** JSON Schema types. */
    readonly types?: readonly string[];
    /** The only values allowed. */
    readonly values?: readonly unknown[];
  };
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
  /** Mends JSON that does not parse. Without it such a call is refused. */
  readonly json: boolean;
  /** The tool's own JSON Schema. */
  readonly schema: boolean;
  /** Numeric strings for numbers, and the like. Only mends what the schema finds wrong. */
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

/** What a part found, and what it mended where it did. */
export type Found<T> =
  | { readonly ok: true; readonly value: T; readonly repair?: GuardFault }
  | { readonly ok: false; readonly fault: GuardFault };

/** The tool that a name stands for. Not asked when a tool has exactly this name. */
export type NamesPart = (name: string, tools: readonly Tool[]) => Found<Tool>;
/** The arguments in a text that JSON cannot read. */
export type JsonPart = (text: string) => Found<ToolArguments>;
/** Everything about the arguments that does not fit the tool; none when they fit. */
export type SchemaPart = (tool: Tool, args: ToolArguments) => readonly SchemaFault[];
/** New arguments with the faults mended, where that is safe. Whatever comes back is checked by the schema again. */
export type CoercePart = (args: ToolArguments, faults: readonly SchemaFault[]) => Coerced | undefined;
export type PathsPart = (
  tool: Tool,
  args: ToolArguments,
  workspace: string,
) => readonly GuardFault[] | Promise<readonly GuardFault[]>;
export type SemanticsPart = (tool: Tool, args: ToolArguments) => readonly GuardFault[];

export interface Coerced {
  readonly arguments: ToolArguments;
  readonly repairs: readonly GuardFault[];
}

/** Each part can be replaced alone. */
export interface GuardFunctions {
  readonly names: NamesPart;
  readonly json: JsonPart;
  readonly schema: SchemaPart;
  readonly coerce: CoercePart;
  readonly paths: PathsPart;
  readonly semantics: SemanticsPart;
}

import type { Effect, JsonSchema, NewEvent, SessionId } from "@fairlead/contract";

/** What a model is told of a tool. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: JsonSchema;
}

export type ToolArguments = Readonly<Record<string, unknown>>;

/** What a tool is about, where modes and patterns look at that: a call of another kind has none. */
export type ToolKind = "file_edit" | "shell" | "network" | "tasks" | "delegation";

/** An argument that names a place in the workspace. */
export interface PathArgument {
  readonly argument: string;
  /** A file or directory must be there; `any` leaves it open. */
  readonly must?: "exist" | "be_file" | "be_directory" | "any";
}

/** A semantic check of one argument or of all. Pure; undefined when it holds, else a precise sentence for the model. */
export type ToolCheck = (args: ToolArguments) => string | undefined;

/** What a tool may know and do while it runs. */
export interface ToolContext {
  readonly session_id: SessionId;
  readonly turn_id: string;
  /** The same for every try of one call: the key that makes a tool idempotent. */
  readonly tool_call_id: string;
  /** Absolute, without symbolic links. Paths in arguments are relative to it. */
  readonly workspace: string;
  /** Aborted by cancel and by the timeout. The tool ends soon after, and its child processes with it. */
  readonly signal: AbortSignal;
}

export interface Child {
  readonly pid: number;
  /** `exited 0`, `killed SIGTERM`, … */
  readonly ended: string;
}

export interface ToolOutput {
  /** JSON. What is recorded and shown. */
  readonly result: unknown;
  /** What the model is told; the result as JSON where this is missing. */
  readonly text?: string;
  /** The tool ran and says that it did not work: recorded as an error. */
  readonly failed?: boolean;
  /** Recorded with the outcome, such as a new task list. */
  readonly events?: readonly NewEvent[];
  readonly children?: readonly Child[];
}

/** What a person is shown before a call is approved, beside its arguments. */
export interface ToolPreview {
  /** A unified diff of what the call would change. */
  readonly diff?: string;
}

export interface Tool {
  readonly spec: ToolSpec;
  /** `write`: it can change something, here or elsewhere. */
  readonly access: "read" | "write";
  readonly kind?: ToolKind;
  readonly effect: Effect;
  readonly timeoutMs: number;
  /** May run beside other calls. Only reads do. */
  readonly parallel: boolean;
  /** `builtin`, `mcp:SERVER` or `module:FILE`. */
  readonly origin: string;
  readonly paths?: readonly PathArgument[];
  readonly checks?: readonly ToolCheck[];
  preview?(args: ToolArguments, context: Omit<ToolContext, "signal">): Promise<ToolPreview>;
  /** Rejects when it fails. `args` fit the schema and passed the checks. */
  run(args: ToolArguments, context: ToolContext): Promise<ToolOutput>;
}

/** Where tools come from. A source may lose and find its tools again, as a server does that restarts. */
export interface ToolSource {
  readonly name: string;
  tools(): readonly Tool[];
  /** Resolves when its tools are known, or it is known that it has none now: at once where that is so. Never rejects. */
  ready?(): Promise<void>;
  close(): Promise<void>;
}

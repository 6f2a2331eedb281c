import type { JsonSchema } from "@fairlead/contract";
import type { Tool } from "../ports/tool.ts";

type Defaults = "origin" | "parallel" | "timeoutMs" | "spec";

/** What a built-in tool says of itself; the rest follows: reads run beside others, writes never do. */
export type Builtin = Omit<Tool, Defaults> & {
  readonly name: string;
  readonly description: string;
  /** The properties of the arguments; nothing else is taken. */
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
  readonly timeoutMs?: number;
  readonly parallel?: boolean;
};

const TIMEOUT_MS = 30_000;

export function builtin({ name, description, properties, required, ...rest }: Builtin): Tool {
  return {
    timeoutMs: TIMEOUT_MS,
    parallel: rest.access === "read",
    ...rest,
    spec: {
      name,
      description,
      parameters: { type: "object", properties, required, additionalProperties: false },
    },
    origin: "builtin",
  };
}

/** An argument that names a file or directory. */
export function pathProperty(description: string): JsonSchema {
  return {
    type: "string",
    description: `${description} Relative to the workspace, with "/".`,
    maxLength: 4096,
  };
}

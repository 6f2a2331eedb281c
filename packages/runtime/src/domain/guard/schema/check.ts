import type { Tool, ToolArguments } from "../../../ports/tool.ts";
import type { SchemaFault, SchemaPart } from "../types.ts";
import type { Compiled } from "./compile.ts";
import { compile } from "./compile.ts";
import { faultsFrom } from "./faults.ts";

/** A tool that cannot be called, because its schema cannot be understood. */
export interface BadSchema {
  readonly tool: string;
  readonly origin: string;
  readonly reason: string;
}

const NONE: readonly SchemaFault[] = [];

/**
 * Checks arguments against their tool's own schema, compiled once. A tool whose schema cannot be compiled is never
 * called; `report` hears of it once.
 */
export function schemaPart(report: (bad: BadSchema) => void = () => {}): SchemaPart {
  // By the schema and not the tool: sources make their tools anew, and wrap them.
  const known = new WeakMap<object, Compiled | SchemaFault>();
  const compiledFor = (tool: Tool): Compiled | SchemaFault => {
    const found = known.get(tool.spec.parameters);
    if (found !== undefined) return found;
    const made = compiledOrFault(tool, report);
    if (typeof tool.spec.parameters === "object" && tool.spec.parameters !== null)
      known.set(tool.spec.parameters, made);
    return made;
  };
  return (tool, args) => {
    const compiled = compiledFor(tool);
    if ("kind" in compiled) return [compiled];
    if (compiled.fits(args)) return NONE;
    return explained(compiled, args);
  };
}

function compiledOrFault(tool: Tool, report: (bad: BadSchema) => void): Compiled | SchemaFault {
  try {
    return compile(tool.spec.parameters);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    report({ tool: tool.spec.name, origin: tool.origin, reason });
    return {
      kind: "schema",
      at: "",
      error: `The tool "${tool.spec.name}" cannot be used: its schema cannot be understood. Use another tool.`,
    };
  }
}

/** Never empty: what does not fit does not pass because no one could say why. */
function explained(compiled: Compiled, args: ToolArguments): readonly SchemaFault[] {
  const faults = faultsFrom(compiled.errors(args));
  return faults.length > 0
    ? faults
    : [{ kind: "schema", at: "", error: "The arguments do not fit the tool's schema." }];
}

import type { ApprovalMode, PermissionMode } from "@fairlead/contract";
import type { Tool, ToolArguments } from "../../ports/tool.ts";

export interface Modes {
  readonly permission_mode: PermissionMode;
  readonly approval_mode: ApprovalMode;
}

/** What the modes make of a call, before rules and supervisors are heard. */
export type Permit =
  | { readonly kind: "run" }
  | { readonly kind: "ask"; readonly reason: string }
  | { readonly kind: "deny"; readonly reason: string };

export type PermitOf = (modes: Modes, tool: Pick<Tool, "access" | "kind" | "spec">) => Permit;

/** What the approval mode makes of an escalation by a rule or a supervisor. */
export type EscalationOf = (mode: ApprovalMode, reason: string) => Permit & { readonly kind: "ask" | "deny" };

/** A call as patterns see it. */
export interface Asked {
  readonly name: string;
  readonly arguments: ToolArguments;
  readonly kind?: Tool["kind"];
  /** Names of the arguments that are paths of the workspace. */
  readonly paths?: readonly string[];
}

/** The call of a tool, as patterns see it. */
export function askedOf(tool: Pick<Tool, "spec" | "kind" | "paths">, args: ToolArguments): Asked {
  const { spec, kind, paths } = tool;
  return {
    name: spec.name,
    arguments: args,
    ...(kind === undefined ? {} : { kind }),
    ...(paths === undefined ? {} : { paths: paths.map(({ argument }) => argument) }),
  };
}

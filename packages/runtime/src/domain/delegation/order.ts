import { PERMISSION_MODES, type PermissionMode } from "@fairlead/contract";
import type { ToolArguments } from "../../ports/tool.ts";
import { given } from "../given.ts";

/** What is asked of a sub-agent. */
export interface Order {
  readonly task: string;
  readonly title?: string;
  readonly instructions?: string;
  readonly model?: string;
  readonly tools?: readonly string[];
  readonly permission_mode?: PermissionMode;
  readonly max_tokens?: number;
  readonly max_cost_usd?: number;
  readonly max_steps?: number;
}

/** The arguments of the call; a sentence for the model where they are none. The guard may be switched off: this is not. */
export function readOrder(args: ToolArguments): Order | string {
  const { task, tools, permission_mode } = args;
  if (typeof task !== "string" || task.trim() === "") return "`task` must say what to do.";
  if (tools !== undefined && !(Array.isArray(tools) && tools.every((name) => typeof name === "string")))
    return "`tools` must be a list of names.";
  const mode = PERMISSION_MODES.find((one) => one === permission_mode);
  if (permission_mode !== undefined && mode === undefined)
    return `\`permission_mode\` must be one of ${PERMISSION_MODES.join(", ")}.`;
  for (const field of ["title", "instructions", "model"] as const)
    if (args[field] !== undefined && typeof args[field] !== "string") return `\`${field}\` must be a text.`;
  for (const field of ["max_tokens", "max_cost_usd", "max_steps"] as const)
    if (args[field] !== undefined && !isAmount(args[field])) return `\`${field}\` must be above 0.`;
  return { task, ...given({ ...(args as Omit<Order, "task">), task, permission_mode: mode }) };
}

function isAmount(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value > 0;
}

import type { HookPoint } from "@fairlead/contract";
import type { HookDefinition } from "../../ports/hook.ts";

/** The hooks to run at this point, in the order of the configuration. */
export function hooksAt(
  all: readonly HookDefinition[],
  on: HookPoint,
  tool_name?: string,
): readonly HookDefinition[] {
  return all.filter((hook) => hook.on === on && (tool_name === undefined || isFor(hook, tool_name)));
}

/**
 * By name only. Patterns of arguments, as approvals have them, are made so that they allow too little; a hook that
 * looked at too little would let through what it is there for.
 */
function isFor({ tools }: HookDefinition, tool_name: string): boolean {
  return tools === undefined || tools.some((pattern) => fits(pattern, tool_name));
}

/** `*` stands for any letters, also none. Without a regular expression, so that no pattern can take long. */
export function fits(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return pattern === name;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  const last = rest.pop() as string;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

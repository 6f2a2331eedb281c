import type { Tool, ToolArguments, ToolCheck } from "../../ports/tool.ts";
import type { GuardFault } from "./types.ts";

/** What the tool's own checks say. A check that throws, or answers with anything but a sentence, does not hold. */
export function semanticFaults(tool: Tool, args: ToolArguments): readonly GuardFault[] {
  return (tool.checks ?? []).flatMap((check) => {
    const error = outcome(check, args);
    return error === undefined ? [] : [{ kind: "semantic" as const, at: "", error }];
  });
}

function outcome(check: ToolCheck, args: ToolArguments): string | undefined {
  try {
    const said: unknown = check(args);
    if (said === undefined || (typeof said === "string" && said !== "")) return said;
    return "A check of this tool gave no clear answer.";
  } catch (error) {
    return `A check of this tool failed: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

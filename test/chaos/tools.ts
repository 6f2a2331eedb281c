// Tools whose effects are lines in the ledger, of the world that a call names.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolArguments, ToolContext } from "../../packages/runtime/src/ports/tool.ts";
import type { UserTool } from "../../packages/runtime/src/tools/user-module.ts";
import { leaveDeed } from "./ledger.ts";

const parameters = {
  type: "object",
  properties: { world: { type: "string" }, page: { type: "integer" } },
  required: ["world"],
  additionalProperties: false,
} as const;

function leave(tool: string, args: ToolArguments, { tool_call_id, session_id }: ToolContext): void {
  leaveDeed(String(args["world"]), { tool, tool_call_id, session_id });
}

function tool(
  name: string,
  effect: "none" | "idempotent" | "once",
  run: UserTool["run"] = () => `${name} done`,
): UserTool {
  return {
    name,
    description: `Leaves a line in the ledger: ${name}.`,
    parameters,
    access: effect === "none" ? "read" : "write",
    effect,
    run(args, context) {
      leave(name, args, context);
      return run(args, context);
    },
  };
}

export default [
  tool("look", "none"),
  tool("peek", "none"),
  tool("turn_page", "none", ({ page }) => `page ${String(page)} of a long book`),
  tool("put", "idempotent", ({ page = 0 }, { workspace }) => {
    writeFileSync(join(workspace, `put-${String(page)}.txt`), `page ${String(page)}`);
    return "put done";
  }),
  tool("send", "once"),
  tool("wipe", "once"),
  tool("break_down", "none", () => {
    throw new Error("it is broken");
  }),
];

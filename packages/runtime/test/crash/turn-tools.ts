// Tools whose effects are lines in a file, so that they can be counted after the process is gone.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolContext } from "../../src/ports/tool.ts";

const parameters = { type: "object", properties: {}, additionalProperties: false } as const;

function tool(name: string, effect: "none" | "idempotent" | "once", access: "read" | "write") {
  return {
    name,
    description: `Leaves a line: ${name}.`,
    parameters,
    access,
    effect,
    parallel: access === "read",
    async run(_: unknown, { workspace, tool_call_id }: ToolContext) {
      appendFileSync(join(workspace, "effects.txt"), `${name} ${tool_call_id}\n`);
      return `${name} done`;
    },
  };
}

export default [
  tool("look", "none", "read"),
  tool("peek", "none", "read"),
  tool("put", "idempotent", "write"),
  tool("send", "once", "write"),
];

// Tools that take effect and then hang, for as long as the workspace says so: to be killed while they run.
import { appendFileSync, existsSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { ToolContext } from "../../src/ports/tool.ts";

function hanging(name: string, effect: "none" | "idempotent" | "once") {
  return {
    name,
    description: `Leaves a line and may hang: ${name}.`,
    parameters: { type: "object", properties: {}, additionalProperties: false },
    access: "write",
    effect,
    async run(_: unknown, { workspace, tool_call_id }: ToolContext) {
      appendFileSync(join(workspace, "effects.txt"), `${name} ${tool_call_id}\n`);
      if (!existsSync(join(workspace, "hang"))) return `${name} done`;
      writeSync(1, "running\n");
      // A timer, so that the process does not end by itself.
      return new Promise<never>(() => void setInterval(() => {}, 60_000));
    },
  };
}

export default [hanging("look", "none"), hanging("put", "idempotent"), hanging("send", "once")];

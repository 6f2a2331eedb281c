import type { Tool, ToolContext } from "../../ports/tool.ts";
import { cut } from "../text.ts";
import { outputOf } from "./content.ts";
import type { CallToolResult, McpTool } from "./types.ts";

const DESCRIPTION_CHARS = 4_000;
/** A larger schema would cost more than the whole conversation. */
const SCHEMA_CHARS = 64 * 1024;

type Call = (
  tool: string,
  args: Readonly<Record<string, unknown>>,
  context: ToolContext,
  key?: string,
) => Promise<CallToolResult>;

interface As {
  readonly server: string;
  /** For models. */
  readonly name: string;
  readonly timeoutMs: number;
  /** Whether what the server says of its tools is believed. */
  readonly trustHints: boolean;
  /** The user vouches that it only reads. */
  readonly reads: boolean;
  readonly call: Call;
}

/** A server's tool as one of ours. What nobody who is trusted says of it is taken for the worst: a write, to be done once. */
export function mcpTool(tool: McpTool, as: As): Tool {
  const { server, name, timeoutMs, call } = as;
  const hints = (as.trustHints ? tool.annotations : undefined) ?? {};
  const reads = as.reads || (hints.readOnlyHint === true && hints.destructiveHint !== true);
  const effect = reads ? "none" : hints.idempotentHint === true ? "idempotent" : "once";
  return {
    spec: {
      name,
      description: cut(
        tool.description ?? tool.title ?? tool.annotations?.title ?? tool.name,
        DESCRIPTION_CHARS,
      ),
      parameters: tool.inputSchema,
    },
    access: reads ? "read" : "write",
    effect,
    timeoutMs,
    parallel: reads,
    origin: `mcp:${server}`,
    async run(args, context) {
      const key = effect === "idempotent" ? keyOf(context) : undefined;
      return outputOf(await call(tool.name, args, context, key), context);
    },
  };
}

/** Ids of calls are of one session: a server that serves several must tell them apart. */
function keyOf({ session_id, tool_call_id }: ToolContext): string {
  return `${session_id}/${tool_call_id}`;
}

/** Why a tool cannot be taken; undefined when it can. */
export function unusable(tool: McpTool): string | undefined {
  if (JSON.stringify(tool.inputSchema).length > SCHEMA_CHARS) return "its schema is too large";
  if (tool.execution?.taskSupport === "required") return "it only runs as a task, which is not supported";
  return undefined;
}

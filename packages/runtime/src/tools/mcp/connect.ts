import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { ListToolsResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { openTransport } from "./transport.ts";
import {
  type CallOptions,
  type CallToolResult,
  type Connection,
  type ConnectionEvents,
  ConnectionLost,
  type McpDeps,
  type McpServer,
  type McpTool,
} from "./types.ts";

const CONNECT_MS = 30_000;
const PAGES = 50;
/** Where a server finds the key of a call. */
const KEY = "fairlead/idempotencyKey";
/** A little more than the gateway's: that one ends the call, this one is for servers that ignore it. */
const SLACK_MS = 2_000;

/** Starts or reaches the server. Rejects with a sentence that says what went wrong. */
export async function connect(
  server: McpServer,
  deps: McpDeps,
  events: ConnectionEvents,
): Promise<Connection> {
  const [sdk, words] = await Promise.all([
    import("@modelcontextprotocol/sdk/client/index.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  const { transport, said } = await openTransport(server, deps);
  const client = new sdk.Client({ name: "fairlead", version: deps.version }, { capabilities: {} });
  try {
    await client.connect(transport, { timeout: CONNECT_MS });
  } catch (error) {
    await client.close().catch(() => {});
    const stderr = said();
    throw new Error(`${(error as Error).message}${stderr === "" ? "" : ` It said: ${stderr}`}`, {
      cause: error,
    });
  }

  let open = true;
  const lose = () => {
    if (!open) return;
    open = false;
    events.lost();
  };
  Object.assign(client, {
    onclose: lose,
    // The SDK gives up in silence, and calls under way would wait for their timeout.
    onerror(error: Error) {
      if (/Maximum reconnection attempts/.test(error.message)) void client.close();
    },
  } satisfies Pick<Client, "onclose" | "onerror">);
  client.setNotificationHandler(words.ToolListChangedNotificationSchema, () => events.changed());

  return {
    list: () => guarded(() => listAll(client, words.ListToolsResultSchema)),
    call: (tool, args, options) => guarded(() => callTool(tool, args, options)),
    async close() {
      open = false;
      await client.close().catch(() => {});
    },
  };

  // Not client.callTool: that compiles the output schemas of the server, which may be hostile.
  function callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): Promise<CallToolResult> {
    const { signal, timeoutMs, key } = options;
    const meta = key === undefined ? {} : { _meta: { [KEY]: key } };
    return client.request(
      { method: "tools/call", params: { name, arguments: { ...args }, ...meta } },
      words.CallToolResultSchema,
      { signal, timeout: timeoutMs + SLACK_MS },
    );
  }

  /** An answer of the server is passed on, also an error; anything else means that it is gone. */
  async function guarded<T>(use: () => Promise<T>): Promise<T> {
    try {
      return await use();
    } catch (error) {
      if (error instanceof words.McpError && error.code !== (words.ErrorCode.ConnectionClosed as number))
        throw error;
      if (error instanceof DOMException && error.name === "AbortError") throw error;
      const unsent = isUnsent(error);
      const wasOpen = open;
      await client.close().catch(() => {});
      if (wasOpen) lose();
      throw new ConnectionLost((error as Error).message, unsent, { cause: error });
    }
  }
}

/** The server has forgotten our session, or nobody listens: it has begun nothing. */
function isUnsent(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return code === 404 || cause?.code === "ECONNREFUSED";
}

async function listAll(client: Client, schema: typeof ListToolsResultSchema): Promise<readonly McpTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const tools: McpTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: "tools/list", params }, schema, { timeout: CONNECT_MS });
    tools.push(...answer.tools);
    cursor = answer.nextCursor;
    if (cursor === undefined) break;
  }
  return tools;
}

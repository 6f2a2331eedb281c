import type { Tool, ToolContext, ToolSource } from "../../ports/tool.ts";
import { ToolFailure } from "../../ports/tool-failure.ts";
import { connect } from "./connect.ts";
import { toolNames } from "./names.ts";
import { mcpTool, unusable } from "./tool.ts";
import {
  type CallToolResult,
  type Connection,
  ConnectionLost,
  type McpDeps,
  type McpServer,
} from "./types.ts";

export interface McpSource extends ToolSource {
  ready(): Promise<void>;
}

export interface McpSourceDeps extends McpDeps {
  /** Counts milliseconds. */
  readonly stopwatch: () => number;
  /** Told when the server cannot be reached, or has tools that cannot be used. Must not throw. */
  readonly report: (problem: string) => void;
}

const TIMEOUT_MS = 60_000;
const MOST_TOOLS = 1_000;
/** A server that does not answer is not asked again at once. */
const PAUSE_MS = [1_000, 5_000, 30_000] as const;

/**
 * The tools of one server. Invariants:
 * 1. It is started when its tools are first asked for, and again when one is called after it was lost.
 * 2. The list stays when the server is gone: calls then fail with a sentence, and a server that is back is found.
 * 3. A call that was sent is never sent again.
 */
export function mcpSource(server: McpServer, deps: McpSourceDeps): McpSource {
  const { name, timeout_ms: timeoutMs = TIMEOUT_MS } = server;
  const reads = new Set(server.reads);
  let tools: readonly Tool[] = [];
  const told = new Set<string>();
  let connection: Promise<Connection> | undefined;
  let failures = 0;
  let failed: { readonly at: number; readonly error: Error } | undefined;
  let known = false;
  let closed = false;

  function connected(): Promise<Connection> {
    if (closed) return Promise.reject(new Error(`The server ${name} was closed.`));
    if (connection !== undefined) return connection;
    const pause = PAUSE_MS[Math.min(failures, PAUSE_MS.length) - 1] ?? 0;
    if (failed !== undefined && deps.stopwatch() - failed.at < pause) return Promise.reject(failed.error);
    const opening = open();
    connection = opening;
    return opening;
  }

  async function open(): Promise<Connection> {
    try {
      const made: Connection = await connect(server, deps, {
        changed: () => void refresh(made).catch(() => {}),
        lost: () => (connection = undefined),
      });
      if (closed) await made.close();
      await refresh(made);
      known = true;
      failures = 0;
      failed = undefined;
      return made;
    } catch (error) {
      const reason = new Error(`The server ${name} does not answer: ${(error as Error).message}`, {
        cause: error,
      });
      connection = undefined;
      failures++;
      failed = { at: deps.stopwatch(), error: reason };
      deps.report(reason.message);
      throw reason;
    }
  }

  async function refresh(made: Connection): Promise<void> {
    const listed = (await made.list()).slice(0, MOST_TOOLS).filter((tool) => {
      const why = unusable(tool);
      if (why !== undefined) tell(`${name} has a tool ${tool.name} that is left out: ${why}.`);
      return why === undefined;
    });
    const there = new Set(listed.map((tool) => tool.name));
    for (const tool of reads)
      if (!there.has(tool)) tell(`${name} has no tool ${tool}, which \`reads\` names.`);
    const names = toolNames(
      name,
      listed.map((tool) => tool.name),
    );
    tools = listed.map((tool) =>
      mcpTool(tool, {
        server: name,
        name: names.get(tool.name) ?? tool.name,
        timeoutMs,
        trustHints: server.trust_hints ?? false,
        reads: reads.has(tool.name),
        call,
      }),
    );
  }

  /** Once: lists are read again whenever the server says so. */
  function tell(problem: string): void {
    if (told.has(problem)) return;
    told.add(problem);
    deps.report(problem);
  }

  async function call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    context: ToolContext,
    key?: string,
  ): Promise<CallToolResult> {
    const options = { signal: context.signal, timeoutMs, ...(key === undefined ? {} : { key }) };
    for (let tries = 0; ; tries++) {
      const made = await connected();
      try {
        return await made.call(tool, args, options);
      } catch (error) {
        context.signal.throwIfAborted();
        if (!(error instanceof ConnectionLost)) throw error;
        if (error.unsent && tries === 0) continue;
        throw new ToolFailure(
          `The connection to ${name} was lost while ${tool} ran. It may have been done or not.`,
        );
      }
    }
  }

  return {
    name: `mcp:${name}`,
    tools() {
      if (!known && connection === undefined && !closed) void connected().catch(() => {});
      return tools;
    },
    async ready() {
      // The list stays when the server is gone: nobody waits for it to come back.
      if (!known) await connected().catch(() => {});
    },
    async close() {
      closed = true;
      const made = await connection?.catch(() => undefined);
      await made?.close();
    },
  };
}

import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { McpDeps, McpServer } from "./types.ts";

/** The most that one answer may have. */
const ANSWER_BYTES = 16 * 1024 * 1024;
const SAID_CHARS = 2_000;

export interface Opened {
  readonly transport: Transport;
  /** The end of what a command wrote to its standard error; empty over HTTP. */
  said(): string;
}

/** Loads the SDK's transport only when there is such a server. Throws when a variable is not set. */
export async function openTransport(server: McpServer, deps: McpDeps): Promise<Opened> {
  const { command, url } = server;
  if (command !== undefined) return overStdio(server, command, deps);
  if (url !== undefined) return overHttp(server, url, deps);
  throw new Error("It has neither a command nor a url.");
}

async function overStdio(server: McpServer, command: readonly string[], deps: McpDeps): Promise<Opened> {
  const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
  const [file = "", ...args] = command;
  const own = Object.entries(server.env ?? {}).map(([name, value]) => [name, filled(value, deps.env)]);
  const transport = new StdioClientTransport({
    command: file,
    args,
    env: { ...deps.baseEnv, ...Object.fromEntries(own) },
    cwd: deps.cwd,
    stderr: "pipe",
    maxBufferSize: ANSWER_BYTES,
  });
  let said = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString("utf8")).slice(-SAID_CHARS);
  });
  return { transport, said: () => said.trim() };
}

async function overHttp({ headers_env = {} }: McpServer, url: string, { env }: McpDeps): Promise<Opened> {
  const { StreamableHTTPClientTransport } =
    await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
  const headers = Object.entries(headers_env).map(([header, name]) => [header, variable(name, env)]);
  // No redirects: the headers are for this server alone.
  const requestInit = {
    headers: Object.fromEntries(headers) as Record<string, string>,
    redirect: "error" as const,
  };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit, fetch: boundedFetch });
  // The class declares its optional members a little differently from the interface it implements.
  return { transport: transport as Transport, said: () => "" };
}

/** An answer to one request has an end; the stream of notices has none and is not counted. */
async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (init?.method !== "POST" || response.body === null) return response;
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes > ANSWER_BYTES)
          controller.error(new Error(`The answer has more than ${ANSWER_BYTES} bytes.`));
        else controller.enqueue(chunk);
      },
    }),
  );
  return new Response(counted, {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
}

function filled(value: string, env: McpDeps["env"]): string {
  return value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => variable(name, env));
}

function variable(name: string, env: McpDeps["env"]): string {
  const value = env[name];
  if (value === undefined || value === "") throw new Error(`The environment variable ${name} is not set.`);
  return value;
}

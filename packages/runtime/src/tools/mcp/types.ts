import type { CallToolResult, Tool as McpTool } from "@modelcontextprotocol/sdk/types.js";

export type { CallToolResult, McpTool };

/** A server of the Model Context Protocol, as it is configured: started by us, or reached over HTTP. */
export interface McpServer {
  /** Comes before the names of its tools. */
  readonly name: string;
  readonly command?: readonly string[];
  readonly url?: string;
  /** Added to the environment of a command; `${NAME}` stands for a variable of ours. */
  readonly env?: Readonly<Record<string, string>>;
  /** Header to the variable of ours that holds its value. */
  readonly headers_env?: Readonly<Record<string, string>>;
  readonly timeout_ms?: number;
  /** Whether the server is believed when it says that a tool only reads or may be repeated. Without it: no. */
  readonly trust_hints?: boolean;
  /** Tools, by the server's own names, of which the user says that they only read. */
  readonly reads?: readonly string[];
}

export interface McpDeps {
  /** Our environment, from which the configuration may take variables by name. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What every command is given. */
  readonly baseEnv: Readonly<Record<string, string>>;
  /** Where commands are started. */
  readonly cwd: string;
  readonly version: string;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Of a tool that may be repeated: the same for every try of one call, and of no other. */
  readonly key?: string;
}

/** A server that answers. Members reject with ConnectionLost when it does not any more. */
export interface Connection {
  list(): Promise<readonly McpTool[]>;
  call(tool: string, args: Readonly<Record<string, unknown>>, options: CallOptions): Promise<CallToolResult>;
  close(): Promise<void>;
}

/** What a connection tells by itself. Called at most once each time it happens. */
export interface ConnectionEvents {
  changed(): void;
  lost(): void;
}

export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";
  /** The call was certainly not begun, so that it may be sent again. */
  readonly unsent: boolean;

  constructor(message: string, unsent: boolean, options?: ErrorOptions) {
    super(message, options);
    this.unsent = unsent;
  }
}

import type { Readable, Writable } from "node:stream";

import type { LineLinkOptions } from "../lines/link.ts";
import { lineLink } from "../lines/link.ts";
import { serveLink } from "../server/serve-link.ts";
import type { AhpServer } from "../server/server.ts";

export interface ServeStdioOptions<C> extends LineLinkOptions {
  readonly context?: C;
  readonly input?: Readable;
  readonly output?: Writable;
}

/**
 * Serves the process that started this one; resolves when it ends our input and has its answers.
 * Nothing else may write to the output: logs go to stderr.
 */
export function serveStdio<C>(server: AhpServer<C>, options: ServeStdioOptions<C> = {}): Promise<void> {
  const link = lineLink(options.input ?? process.stdin, options.output ?? process.stdout, options);
  return serveLink(server, link, { transport: "stdio", context: options.context as C });
}

import { randomUUID } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { testServer } from "./mcp-tools.ts";

export interface HttpServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly headers: IncomingHttpHeaders[];
}

/** Streamable HTTP with sessions, as the SDK's own examples have it. */
export async function httpServer(port = 0): Promise<HttpServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer(async (request, response) => {
    headers.push(request.headers);
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? sessions.get(id) : undefined;
    if (known !== undefined) return known.handleRequest(request, response);
    if (id !== undefined) {
      const error = { jsonrpc: "2.0", id: null, error: { code: -32_001, message: "Session not found" } };
      return void response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify(error));
    }
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (made) => void sessions.set(made, transport),
    });
    await testServer().connect(transport as never);
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${bound}/mcp`,
    port: bound,
    headers,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

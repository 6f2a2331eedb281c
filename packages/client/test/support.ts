import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Answer = (request: IncomingMessage & { text: string }, response: ServerResponse) => void;

/** A real HTTP server on a port of its own that answers as the test says. */
export async function serve(
  answer: Answer,
): Promise<{ url: string; requests: string[]; server: Server; close(): Promise<void> }> {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    let text = "";
    for await (const chunk of request) text += chunk;
    answer(Object.assign(request, { text }), response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

export function sse(response: ServerResponse): ServerResponse {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write("retry: 100\n\n");
  return response;
}

export const frame = (seq: number, type = "token") => ({
  type,
  payload: { text: `t${seq}` },
  id: `evt_${seq}`,
  seq,
  session_id: "ses_1",
  at: "2025-01-01T00:00:00.000Z",
  tier: "default",
});

export const block = (seq: number): string => `id: ${seq}\ndata: ${JSON.stringify(frame(seq))}\n\n`;

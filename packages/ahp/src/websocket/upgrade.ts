import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import type { WebSocket, WebSocketServer } from "ws";

import { admit } from "../auth/admit.ts";
import type { Credentials } from "../auth/credentials.ts";
import { isForeignOrigin } from "../auth/exposure.ts";
import type { GuardOptions } from "../auth/guard-options.ts";
import { AhpError } from "../protocol/errors.ts";
import { serveLink } from "../server/serve-link.ts";
import type { AhpServer } from "../server/server.ts";
import { MAX_BUFFERED_BYTES, MAX_MESSAGE_BYTES } from "../transport/limits.ts";
import { answerPings } from "./answer-pings.ts";
import { keepAlive } from "./keep-alive.ts";
import { serverLink } from "./server-link.ts";

export interface WebSocketHandlerOptions<C> extends GuardOptions<C> {
  /** Any path is served unless one is named. */
  readonly path?: string;
  readonly maxBufferedBytes?: number;
  readonly handshakeTimeoutMs?: number;
  readonly pingEveryMs?: number;
}

export interface WebSocketHandler {
  /** For the `upgrade` event of a server of your own. */
  upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void;
  readonly connections: number;
  close(): void;
}

export async function websocketHandler<C>(
  server: AhpServer<C>,
  options: WebSocketHandlerOptions<C> = {},
): Promise<WebSocketHandler> {
  const { path, authenticate, allowedOrigins = [], handshakeTimeoutMs = 10_000 } = options;
  const { maxBufferedBytes = MAX_BUFFERED_BYTES, pingEveryMs = 30_000 } = options;
  const acceptor = await createAcceptor(options.maxMessageBytes ?? MAX_MESSAGE_BYTES);
  const streams = new Set<Duplex>();

  async function enter(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const url = new URL(request.url ?? "/", "ws://localhost");
    if (path !== undefined && url.pathname !== path) return reject(stream, "404 Not Found");
    if (isForeignOrigin(request.headers.origin, allowedOrigins)) return reject(stream, "403 Forbidden");
    const admitted = await admit(authenticate, credentialsOf(url, request));
    if (admitted === null) return reject(stream, "401 Unauthorized");
    acceptor.handleUpgrade(request, stream, head, (socket) => accept(socket, stream, admitted.context));
  }

  function accept(socket: WebSocket, stream: Duplex, context: C): void {
    keepAlive(socket, pingEveryMs);
    answerPings(socket);
    const link = serverLink(socket, stream, maxBufferedBytes);
    void serveLink(server, link, { transport: "websocket", context }, { handshakeTimeoutMs });
  }

  return {
    upgrade(request, stream, head) {
      streams.add(stream);
      stream.once("close", () => streams.delete(stream));
      stream.on("error", () => stream.destroy());
      enter(request, stream, head).catch(() => reject(stream, "500 Internal Server Error"));
    },
    get connections() {
      return acceptor.clients.size;
    },
    close() {
      for (const socket of acceptor.clients) socket.terminate();
      acceptor.close();
      // Also those that are still asked who they are: an HTTP server knows nothing of them any more.
      for (const stream of streams) stream.destroy();
    },
  };
}

async function createAcceptor(maxPayload: number): Promise<WebSocketServer> {
  const ws = await import("ws").catch((cause: unknown) => {
    const message = "The WebSocket server needs the package `ws`: npm install ws";
    throw new AhpError("dependency_missing", message, { cause });
  });
  return new ws.WebSocketServer({ noServer: true, maxPayload, perMessageDeflate: false, autoPong: false });
}

function credentialsOf(url: URL, request: IncomingMessage): Credentials {
  return {
    apiKey: url.searchParams.get("api_key") ?? undefined,
    token: url.searchParams.get("token") ?? undefined,
    remoteAddress: request.socket.remoteAddress,
  };
}

function reject(stream: Duplex, status: string): void {
  if (stream.destroyed) return;
  // Both halves: the peer need not end its own.
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => stream.destroy());
}

import type { Socket } from "node:net";
import { createServer as createNetServer } from "node:net";

import type { LineLinkOptions } from "../lines/link.ts";
import { lineLink } from "../lines/link.ts";
import { serveLink } from "../server/serve-link.ts";
import type { AhpServer } from "../server/server.ts";
import { clearStale, listenPrivately } from "./socket-file.ts";

export interface ServeUnixOptions<C> extends LineLinkOptions {
  readonly path: string;
  /** What the handlers get to know about each peer. */
  readonly context?: C;
  readonly maxConnections?: number;
  /** A peer that has not greeted by then is cut off. */
  readonly handshakeTimeoutMs?: number;
}

export interface UnixServer {
  readonly path: string;
  readonly connections: number;
  /** Ends every connection and removes the socket. */
  close(): Promise<void>;
}

/** Listens on a socket that only this user can open (mode 0600). */
export async function serveUnix<C>(server: AhpServer<C>, options: ServeUnixOptions<C>): Promise<UnixServer> {
  const { path, context, maxConnections = 1_024, handshakeTimeoutMs = 10_000 } = options;
  const sockets = new Set<Socket>();
  const listener = createNetServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    const peer = { transport: "unix", context: context as C };
    void serveLink(server, lineLink(socket, socket, options), peer, { handshakeTimeoutMs });
  });
  listener.maxConnections = maxConnections;
  await clearStale(path);
  await listenPrivately(listener, path);
  return {
    path,
    get connections() {
      return sockets.size;
    },
    close() {
      const { promise, resolve } = Promise.withResolvers<void>();
      listener.close(() => resolve());
      for (const socket of sockets) socket.destroy();
      return promise;
    },
  };
}

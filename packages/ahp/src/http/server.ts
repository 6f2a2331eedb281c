import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";

import { assertGuarded } from "../auth/exposure.ts";
import type { AhpServer } from "../server/server.ts";
import type { HttpHandlerOptions } from "./handler.ts";
import { httpHandler } from "./handler.ts";

export interface ServeHttpOptions<C> extends HttpHandlerOptions<C> {
  readonly host?: string;
  /** Zero, the default, takes a free one. */
  readonly port?: number;
  readonly maxConnections?: number;
  /** How long a peer may take to send a whole request; the answer may take longer. */
  readonly requestTimeoutMs?: number;
}

export interface HttpServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves POST /ahp on the loopback interface; anywhere else only with `authenticate`. */
export async function serveHttp<C>(
  server: AhpServer<C>,
  options: ServeHttpOptions<C> = {},
): Promise<HttpServer> {
  const {
    host = "127.0.0.1",
    port = 0,
    path = "/ahp",
    maxConnections = 4_096,
    requestTimeoutMs = 30_000,
  } = options;
  assertGuarded(host, options.authenticate !== undefined);
  const listener = createHttpServer(
    {
      // A peer that dribbles its request is cut off; a held answer is not.
      headersTimeout: Math.min(requestTimeoutMs, 10_000),
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(requestTimeoutMs, 5_000),
      // Longer than clients keep an idle connection, so that they close first.
      keepAliveTimeout: 65_000,
    },
    httpHandler(server, options),
  );
  listener.maxConnections = maxConnections;
  listener.listen(port, host);
  await once(listener, "listening");
  const { port: bound } = listener.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}${path}`,
    close() {
      const { promise, resolve } = Promise.withResolvers<void>();
      listener.close(() => resolve());
      listener.closeAllConnections();
      return promise;
    },
  };
}

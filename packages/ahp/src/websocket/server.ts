import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";

import { assertGuarded } from "../auth/exposure.ts";
import type { AhpServer } from "../server/server.ts";
import type { WebSocketHandlerOptions } from "./upgrade.ts";
import { websocketHandler } from "./upgrade.ts";

export interface ServeWebSocketOptions<C> extends WebSocketHandlerOptions<C> {
  readonly host?: string;
  /** Zero, the default, takes a free one. */
  readonly port?: number;
  readonly maxConnections?: number;
}

export interface WebSocketHarness {
  readonly url: string;
  readonly connections: number;
  close(): Promise<void>;
}

/** Serves WebSocket on the loopback interface; anywhere else only with `authenticate`. Needs the package `ws`. */
export async function serveWebSocket<C>(
  server: AhpServer<C>,
  options: ServeWebSocketOptions<C> = {},
): Promise<WebSocketHarness> {
  const { host = "127.0.0.1", port = 0, path = "/", maxConnections = 1_024 } = options;
  assertGuarded(host, options.authenticate !== undefined);
  const handler = await websocketHandler(server, options);
  const listener = createHttpServer({ headersTimeout: 10_000 }, (_request, response) => {
    response.writeHead(426, { connection: "close" }).end();
  });
  listener.maxConnections = maxConnections;
  listener.on("upgrade", handler.upgrade);
  listener.listen(port, host);
  await once(listener, "listening");
  const { port: bound } = listener.address() as AddressInfo;
  return {
    url: `ws://${host.includes(":") ? `[${host}]` : host}:${bound}${path}`,
    get connections() {
      return handler.connections;
    },
    close() {
      const { promise, resolve } = Promise.withResolvers<void>();
      listener.close(() => resolve());
      handler.close();
      listener.closeAllConnections();
      return promise;
    },
  };
}

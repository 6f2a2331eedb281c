import type { Auth } from "../auth/credentials.ts";
import { AhpError } from "../protocol/errors.ts";
import { MAX_MESSAGE_BYTES } from "../transport/limits.ts";
import { multiplex } from "../transport/multiplex.ts";
import type { Transport } from "../transport/transport.ts";
import { websocketLink } from "./client-link.ts";
import { websocketUrl } from "./url.ts";

export interface WebSocketOptions {
  readonly url: string;
  readonly auth?: Auth;
  readonly maxMessageBytes?: number;
  /** Another implementation of the standard class, such as that of the package `ws`. */
  readonly WebSocket?: new (url: string | URL) => WebSocket;
}

export function websocket(options: WebSocketOptions): Transport {
  const url = websocketUrl(options.url, options.auth);
  const maxMessageBytes = options.maxMessageBytes ?? MAX_MESSAGE_BYTES;
  return {
    name: "websocket",
    lifetime: "connection",
    async connect({ signal, onStray }) {
      const socket = new (options.WebSocket ?? WebSocket)(url);
      try {
        await opened(socket, signal);
      } catch (error) {
        socket.close();
        if (error instanceof AhpError) throw error;
        // Not the whole URL: the credential is in it.
        const message = `Cannot connect to ${url.host}: ${(error as Error).message}`;
        throw new AhpError("connection_failed", message, { cause: error });
      }
      return multiplex(websocketLink(socket, { maxMessageBytes }), { onStray });
    },
  };
}

interface Telling extends WebSocket {
  on?(name: "unexpected-response", hear: (request: unknown, response: { statusCode: number }) => void): void;
}

function opened(socket: WebSocket, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.addEventListener("open", () => resolve());
  socket.addEventListener("error", () => reject(new Error("refused or unreachable")));
  socket.addEventListener("close", () => reject(new Error("closed at once")));
  // Of the class of `ws` alone: the standard one does not tell why it was refused.
  (socket as Telling).on?.("unexpected-response", (_request, { statusCode }) => {
    const isUnwelcome = statusCode === 401 || statusCode === 403;
    const why = `refused with HTTP ${statusCode}`;
    reject(isUnwelcome ? new AhpError("unauthorized", `The harness ${why}`) : new Error(why));
  });
  signal.addEventListener("abort", () => reject(new Error("took too long")));
  return promise;
}

import type { Link } from "../transport/link.ts";
import type { Peer, Reply } from "./connection.ts";
import { isPromise } from "./guard.ts";
import type { AhpServer } from "./server.ts";

export interface ServeLinkOptions {
  /** A peer that has not greeted by then is cut off; zero waits for ever. */
  readonly handshakeTimeoutMs?: number;
}

/** Serves one peer over a link, until the link ends; resolves then. */
export function serveLink<C>(
  server: AhpServer<C>,
  link: Link,
  peer: Peer<C>,
  options: ServeLinkOptions = {},
): Promise<void> {
  const connection = server.connect(peer);
  const ended = Promise.withResolvers<void>();
  const patience = options.handshakeTimeoutMs ?? 0;
  const impatient = patience > 0 ? setTimeout(cutOff, patience) : undefined;

  function cutOff(): void {
    if (!connection.greeted) void link.close();
  }

  function send(reply: Reply): void | Promise<void> {
    if (typeof reply === "string") return link.send(reply);
  }

  link.listen({
    message(text) {
      const reply = connection.receive(text);
      // A held answer delays nothing: reading stops only for a slow reader or a flood of notifications.
      if (!isPromise(reply)) return send(reply);
      void reply.then(send);
      return connection.backlog();
    },
    garbage(error) {
      void send(connection.refuse(error));
    },
    closed() {
      clearTimeout(impatient);
      connection.close();
      ended.resolve();
    },
  });
  return ended.promise;
}

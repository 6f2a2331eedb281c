import { isPromise } from "../awaitable.ts";
import type { Link } from "../transport/link.ts";
import type { Peer, Reply } from "./connection.ts";
import type { AhpServer } from "./server.ts";

/** How long answers still due are waited for after the peer has ended its side. */
const LAST_ANSWERS_MS = 5_000;

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
  const over = Promise.withResolvers<void>();
  const patienceMs = options.handshakeTimeoutMs ?? 0;
  let timer = patienceMs > 0 ? setTimeout(cutOff, patienceMs) : undefined;
  let due = 0;
  let hasEnded = false;

  function cutOff(): void {
    if (!connection.greeted) void link.close();
  }

  function send(reply: Reply): void | Promise<void> {
    if (typeof reply === "string") return link.send(reply);
  }

  async function finish(): Promise<void> {
    clearTimeout(timer);
    connection.close();
    await link.close();
    over.resolve();
  }

  link.listen({
    message(text) {
      const reply = connection.receive(text);
      // A held answer delays nothing: reading stops only for a slow reader, a flood of notifications, or too many bytes held.
      if (!isPromise(reply)) return send(reply);
      due += 1;
      void reply.then((reply) => {
        void send(reply);
        due -= 1;
        if (due === 0 && hasEnded) void finish();
      });
      return connection.backlog();
    },
    garbage(error) {
      void send(connection.refuse(error));
    },
    closed(error) {
      hasEnded = true;
      clearTimeout(timer);
      if (due === 0 || error !== undefined) return void finish();
      timer = setTimeout(() => void finish(), LAST_ANSWERS_MS);
    },
  });
  return over.promise;
}

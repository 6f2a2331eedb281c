import { serveLink } from "../server/serve-link.ts";
import type { AhpServer } from "../server/server.ts";
import { within } from "../within.ts";
import type { Link, LinkSink } from "./link.ts";
import { multiplex } from "./multiplex.ts";
import type { Transport } from "./transport.ts";

/** How long a closing end waits for its peer to take what was sent. */
const LAST_WORDS_MS = 1_000;

/** A client transport straight into a server of this process. */
export function inProcess<C>(
  server: AhpServer<C>,
  ...[context]: undefined extends C ? [context?: C] : [context: C]
): Transport {
  return {
    name: "in-process",
    lifetime: "connection",
    connect: async ({ onStray }) => {
      const [near, far] = linkPair();
      void serveLink(server, far, { transport: "in-process", context: context as C });
      return multiplex(near, { onStray });
    },
  };
}

/** Two links, each the other's peer. A message arrives in a later microtask, as on a socket. */
export function linkPair(): [Link, Link] {
  const [a, b] = [end(), end()];
  return [join(a, b), join(b, a)];
}

interface End {
  arrive(text: string): Promise<void>;
  listen(sink: LinkSink): void;
  hangUp(): void;
  readonly isOpen: boolean;
  /** Settles when everything that arrived was taken. */
  readonly taken: Promise<void>;
}

function join(self: End, peer: End): Link {
  return {
    send: (text) => (self.isOpen ? peer.arrive(text) : undefined),
    listen: self.listen,
    async close() {
      await within(LAST_WORDS_MS, peer.taken);
      self.hangUp();
      peer.hangUp();
    },
  };
}

function end(): End {
  let sink: LinkSink | undefined;
  let isOpen = true;
  let taken: Promise<void> = Promise.resolve();

  return {
    arrive(text) {
      // In order, and one at a time while the receiver asks for patience.
      taken = taken.then(() => (isOpen ? sink?.message(text) : undefined));
      return taken;
    },
    listen(given) {
      sink = given;
    },
    hangUp() {
      if (!isOpen) return;
      isOpen = false;
      sink?.closed();
    },
    get isOpen() {
      return isOpen;
    },
    get taken() {
      return taken;
    },
  };
}

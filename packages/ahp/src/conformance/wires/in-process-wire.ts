import type { AhpServer } from "../../server/server.ts";
import { serveLink } from "../../server/serve-link.ts";
import { linkPair } from "../../transport/in-process.ts";
import type { Wire } from "./wire.ts";
import { createInbox } from "./wire.ts";

export async function inProcessWire(server: AhpServer): Promise<Wire> {
  const [near, far] = linkPair();
  const inbox = createInbox();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  near.listen({
    message: (text) => inbox.put(text),
    garbage: () => {},
    closed: () => resolve(),
  });
  void serveLink(server, far, { transport: "in-process", context: undefined });
  return {
    inbox,
    ended,
    close: near.close,
    async send(message) {
      await near.send(Buffer.from(message as string).toString());
    },
  };
}

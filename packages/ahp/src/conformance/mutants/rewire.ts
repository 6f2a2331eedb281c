import { andThen } from "../../awaitable.ts";
import type { Reply, ServerConnection } from "../../server/connection.ts";
import type { AhpServer } from "../../server/server.ts";

// Mutants work on parsed messages, whatever is in them.
// oxlint-disable-next-line typescript/no-explicit-any
export type Loose = any;

/** What goes wrong between the wire and a good harness. */
export interface Fault {
  /** Changes a message before the harness sees it. */
  readonly hear?: (message: Loose) => Loose;
  /** Changes an answer before the wire sees it; `message` is what was asked. Undefined says nothing. */
  readonly say?: (answer: Loose, message: Loose) => Loose;
  /** Answers a notification, which nobody should. */
  readonly reply?: (message: Loose) => Loose;
  /** Takes over altogether. */
  readonly receive?: (
    text: string,
    next: ServerConnection["receive"],
  ) => ReturnType<ServerConnection["receive"]>;
}

export function rewire(server: AhpServer, fault: Fault): AhpServer {
  return {
    ...server,
    connect(peer) {
      const connection = server.connect(peer);
      const receive = (text: string) => faulty(connection, fault, text);
      return {
        ...connection,
        receive: fault.receive ? (text) => fault.receive?.(text, connection.receive) : receive,
        get greeted() {
          return connection.greeted;
        },
      };
    },
  };
}

function faulty(connection: ServerConnection, fault: Fault, text: string): Reply | Promise<Reply> {
  const message = tryParse(text);
  const heard = message === undefined || !fault.hear ? text : JSON.stringify(fault.hear(message));
  return andThen(connection.receive(heard), (reply) => {
    if (typeof reply === "string" && fault.say) {
      const said = fault.say(JSON.parse(reply), message ?? {});
      return said === undefined ? undefined : JSON.stringify(said);
    }
    if (typeof reply !== "string" && fault.reply) return JSON.stringify(fault.reply(message ?? {}));
    return reply;
  });
}

function tryParse(text: string): Loose {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { type IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { Logger } from "./config.ts";

export interface Upgrade {
  readonly stream: Duplex;
  readonly head: Buffer;
}

export interface Upgrades {
  /** Whether a request that asks for another protocol gets it. Every other one is answered as if it had not asked. */
  wanted(request: IncomingMessage): boolean;
  /** Answers those that are wanted. */
  bind(app: Pick<FastifyInstance, "server" | "routing">): void;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** Set on a request that asks for a WebSocket where there is one. */
export function upgradeOf(request: IncomingMessage): Upgrade | undefined {
  return upgrades.get(request);
}

const STREAM = /\/stream$/;
/** A peer that was answered and does not take the answer is cut off. */
const LINGER_MS = 1_000;

/**
 * Streams can be had over a WebSocket, at the same addresses, and so can the protocol of the harness. Such a request passes
 * the same gate and the same handler as any other: until a socket is opened for it, it is answered as HTTP, so a refusal is
 * the same too. Node lets go of the connection of an upgrade: nobody but we ends it.
 */
export function createUpgrades(deps: { readonly harnessPath?: string; readonly logger: Logger }): Upgrades {
  /** Answers that a connection still waits for. */
  const owed = new WeakMap<Duplex, number>();

  function count({ socket, headers }: IncomingMessage, response: ServerResponse): void {
    // Node drops what came in one packet after such an offer: closing, we say that nothing of it was heard.
    if (headers.upgrade !== undefined) response.shouldKeepAlive = false;
    owed.set(socket, (owed.get(socket) ?? 0) + 1);
    response.once("close", () => owed.set(socket, (owed.get(socket) ?? 1) - 1));
  }

  return {
    wanted({ method, url = "", headers, socket }) {
      if (method !== "GET" || headers.upgrade?.toLowerCase() !== "websocket") return false;
      // Sent without waiting for the answers before it: those come first, and the connection is theirs until then.
      if ((owed.get(socket) ?? 0) > 0) return false;
      const [path = ""] = url.split("?", 1);
      return STREAM.test(path) || path === deps.harnessPath;
    },
    bind({ server, routing }) {
      server.prependListener("request", count);
      server.prependListener("checkExpectation", count);
      server.on("upgrade", (request: IncomingMessage, stream: Duplex, head: Buffer) => {
        stream.on("error", () => stream.destroy());
        // Thrown from here it would end the process, for everybody.
        try {
          upgrades.set(request, { stream, head });
          const response = new ServerResponse(request);
          response.shouldKeepAlive = false;
          response.assignSocket(stream as Socket);
          response.on("finish", () => hangUp(stream as Socket));
          routing(request, response);
        } catch (error) {
          deps.logger.error({ err: error }, "upgrade failed");
          stream.destroy();
        }
      });
    },
  };
}

/** Not only our half: the other one is the peer's to end, and it need not. */
function hangUp(socket: Socket): void {
  socket.destroySoon();
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(cut));
}

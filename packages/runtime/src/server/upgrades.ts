import { type IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { FastifyInstance } from "fastify";

export interface Upgrade {
  readonly stream: Duplex;
  readonly head: Buffer;
}

export type OnUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer) => void;

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** Set on a request that asks for its stream over a WebSocket. */
export function upgradeOf(request: IncomingMessage): Upgrade | undefined {
  return upgrades.get(request);
}

const STREAM = /\/stream(\?|$)/;

/**
 * Streams can be had over a WebSocket, at the same addresses. Such a request passes the same gate and the same handler
 * as any other: until a stream is opened for it, it is answered as HTTP, so a refusal is the same too.
 */
export function bindUpgrades(app: FastifyInstance, other?: OnUpgrade): void {
  app.server.on("upgrade", (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    if (other !== undefined && !STREAM.test(request.url ?? "")) return other(request, stream, head);
    stream.on("error", () => stream.destroy());
    // Others ask for protocols that we do not speak: they get what they would get without.
    if (request.headers.upgrade?.toLowerCase() === "websocket") upgrades.set(request, { stream, head });
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(stream as Socket);
    response.on("finish", () => stream.end());
    app.routing(request, response);
  });
}

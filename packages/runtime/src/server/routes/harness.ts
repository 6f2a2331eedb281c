import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { FastifyInstance } from "fastify";
import { PUBLIC } from "../access.ts";
import { upgradeOf } from "../upgrades.ts";

/** What answers the Agent Harness Protocol, by POST and by WebSocket on one path. Asks for its own credentials. */
export interface HarnessFace {
  readonly path: string;
  request(request: IncomingMessage, response: ServerResponse): void;
  /** Answers on the stream itself, and ends it. Never throws. */
  upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void;
  close(): void;
}

/** Not in the table of routes: another protocol speaks here, with its own bodies and its own errors. */
export function bindHarness(app: FastifyInstance, harness: HarnessFace): void {
  void app.register(async (scope) => {
    // The body is left to the protocol, which has its own limits.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _body, done) => done(null));
    // Every method: that only one is served is for the protocol to say.
    scope.all(harness.path, { config: { name: "harness", access: PUBLIC } }, (request, reply) => {
      reply.hijack();
      const upgrade = upgradeOf(request.raw);
      if (upgrade === undefined) return harness.request(request.raw, reply.raw);
      const { stream, head } = upgrade;
      reply.raw.detachSocket(stream as Socket);
      harness.upgrade(request.raw, stream, head);
    });
  });
}

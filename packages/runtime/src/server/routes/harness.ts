import type { Duplex } from "node:stream";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { PUBLIC } from "../access.ts";
import { hostAllowed, hostHeaders, type Served } from "../host-check.ts";
import type { OnUpgrade } from "../upgrades.ts";

/** What answers the Agent Harness Protocol, by POST and by WebSocket on one path. Asks for its own credentials. */
export interface HarnessFace {
  readonly path: string;
  request(request: IncomingMessage, response: ServerResponse): void;
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
      harness.request(request.raw, reply.raw);
    });
  });
}

/** Its WebSocket, for who comes by a name of ours. */
export function harnessUpgrade(harness: HarnessFace, served: () => Served): OnUpgrade {
  return (request, stream, head) => {
    const once = hostHeaders(request) === 1;
    if (once && hostAllowed(request.headers.host, served())) return harness.upgrade(request, stream, head);
    stream.on("error", () => stream.destroy());
    const status = hostHeaders(request) > 1 ? "400 Bad Request" : "403 Forbidden";
    stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  };
}

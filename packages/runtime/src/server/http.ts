import { errorBody, FairleadError } from "@fairlead/contract";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Ids } from "../ports/ids.ts";
import type { Logger } from "./config.ts";
import { asFairleadError, badRequest, rawErrorResponse } from "./errors.ts";
import { parseJsonBody } from "./json-body.ts";
import type { Limits } from "./limits.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";

interface HttpDeps {
  readonly limits: Limits;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Whether a request leaves HTTP; every other one is answered here, whatever it offers. */
  readonly upgrades: (request: IncomingMessage) => boolean;
}

/** How often Node looks for clients that are too slow to send their request. */
const CHECK_MS = 1_000;
/** Connections beyond the limit that still get an answer that says so. */
const SPARE = 64;

/** Fastify with our limits, our bodies and our errors; no routes yet. */
export function createHttp({ limits, ids, logger, upgrades }: HttpDeps): FastifyInstance {
  const answers = new WeakMap<Duplex, ServerResponse>();
  const nextId = (): string => ids.next("request");

  const app = Fastify({
    logger: false,
    genReqId: nextId,
    bodyLimit: limits.bodyBytes,
    routerOptions: { maxParamLength: limits.paramChars },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    http: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: CHECK_MS,
      // Ours answers in JSON; Node's own refusal has no body.
      requireHostHeader: false,
      shouldUpgradeCallback: upgrades,
    },
    frameworkErrors: (error, request, reply) => answerError(logger, error, request, reply),
    clientErrorHandler(error, socket) {
      // Nothing may be written into the middle of an answer, and nothing after a reset.
      const begun = answers.get(socket)?.headersSent ?? false;
      if (!socket.writable || begun) socket.destroy();
      else {
        const answer = rawErrorResponse(asFairleadError(error), nextId());
        socket.end(answer, () => socket.destroy());
      }
    },
  });

  app.server.maxConnections = limits.connections + SPARE;
  app.server.on("checkExpectation", (_request: IncomingMessage, response) => {
    const error = badRequest("header.expect", "Only 100-continue is understood.");
    const body = JSON.stringify(errorBody(error, nextId()));
    response.writeHead(error.status, {
      ...SECURITY_HEADERS,
      "content-type": JSON_TYPE,
      "content-length": Buffer.byteLength(body),
      connection: "close",
    });
    response.end(body);
  });
  app.addHook("onRequest", (request, reply, done) => {
    answers.set(request.raw.socket, reply.raw);
    done();
  });
  app.addHook("onResponse", (request, _reply, done) => {
    answers.delete(request.raw.socket);
    done();
  });
  app.setErrorHandler((error, request, reply) => answerError(logger, error, request, reply));

  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    try {
      const encoding = request.headers["content-encoding"];
      if (encoding !== undefined && encoding !== "identity") {
        throw new FairleadError("unsupported_media_type", {
          details: { "content-encoding": encoding },
        });
      }
      done(null, parseJsonBody(body as Buffer, limits.bodyDepth));
    } catch (error) {
      done(error as Error);
    }
  });
  return app;
}

const JSON_TYPE = "application/json; charset=utf-8";

/** Every refusal and every failure leaves the server here. */
function answerError(logger: Logger, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = asFairleadError(error);
  if (known.status >= 500 && known.code !== "shutting_down") {
    logger.error({ request_id: request.id, code: known.code, err: known.cause ?? error }, "request failed");
  }
  reply.headers(SECURITY_HEADERS).header("x-request-id", request.id).code(known.status);
  if (known.code === "unauthorized") reply.header("www-authenticate", 'Bearer realm="fairlead"');
  if (known.status === 429 || known.status === 503) reply.header("retry-after", "1");
  reply.type(JSON_TYPE).send(errorBody(known, request.id));
}

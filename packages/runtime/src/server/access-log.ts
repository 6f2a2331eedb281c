import type { FastifyInstance } from "fastify";
import type { Logger } from "./config.ts";
import { requestAlias } from "./gate.ts";
import type { Metrics } from "./metrics.ts";

/** Counts and logs each answer. Never the URL: it can carry a one-time code. */
export function observeRequests(app: FastifyInstance, logger: Logger, metrics: Metrics): void {
  app.addHook("onResponse", (request, reply, done) => {
    const { method, id } = request;
    const route = request.routeOptions.config.name ?? "none";
    const status = reply.statusCode;
    const ms = reply.elapsedTime;
    if (!request.streamed) metrics.request(method, route, status, ms / 1000);
    const entry = {
      request_id: id,
      client_request_id: requestAlias(request.headers["x-request-id"]),
      method,
      route,
      status,
      ms: Math.round(ms * 10) / 10,
      actor: request.actor?.name,
    };
    if (method === "GET" && status < 400) logger.debug(entry, "answered");
    else logger.info(entry, "answered");
    done();
  });
}

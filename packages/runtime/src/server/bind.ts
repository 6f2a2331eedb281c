import { ROUTES, type RouteDef, type RouteName } from "@fairlead/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import { type Call, type Handler, type Handlers, STREAMING } from "./handlers.ts";
import { idempotencyKey, validate } from "./validate.ts";

const CONTENT_TYPES = {
  text: "text/plain; charset=utf-8",
  html: "text/html; charset=utf-8",
  bytes: "application/octet-stream",
} as const;

/** OpenAPI writes `{id}`, the router `:id`. */
export function routerPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** HEAD is GET without the body, where asking has no effect and the answer has an end. */
export function takesHead(route: RouteDef): boolean {
  return route.method === "GET" && route.reply !== "sse" && route.reply !== null;
}

/** The one place where method, path, schemas and role of the table meet a handler. */
export function bindRoutes(app: FastifyInstance, handlers: Handlers): void {
  for (const name of Object.keys(ROUTES) as RouteName[]) {
    const route: RouteDef = ROUTES[name];
    app.route({
      method: route.method,
      url: routerPath(route.path),
      exposeHeadRoute: takesHead(route),
      config: { name, access: { role: route.role, agents: route.agents } },
      handler: handle(route, handlers[name] as Handler<RouteName>),
    });
  }
}

function handle(route: RouteDef, handler: Handler<RouteName>): RouteHandlerMethod {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { params, query, body } = request;
    const parts = validate(route, { params, query: route.query ? query : {}, body });
    const key = route.idempotent ? idempotencyKey(request.headers["idempotency-key"]) : undefined;
    const { actor, credential } = request;
    const answer: unknown = await handler({
      ...parts,
      actor,
      credential,
      idempotencyKey: key,
      request,
      reply,
    } as Call<RouteName>);
    if (answer === STREAMING && (route.reply === "sse" || route.streams)) {
      request.streamed = true;
      return reply.hijack();
    }
    if (reply.sent) return reply;
    if (reply.statusCode === 200) reply.code(route.status);
    if (typeof route.reply === "string" && route.reply !== "sse" && !reply.hasHeader("content-type")) {
      reply.type(CONTENT_TYPES[route.reply]);
    }
    return reply.send(answer);
  };
}

import { FairleadError, isId } from "@fairlead/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "../domain/actor.ts";
import { type Access, checkAccess, CLOSED } from "./access.ts";
import { allowedMethods } from "./allowed-methods.ts";
import type { Authenticator } from "./auth/authenticator.ts";
import { type Credential, credentialOf } from "./auth/credentials.ts";
import { badRequest } from "./errors.ts";
import { cookieRequestAllowed, hostAllowed, hostHeaders, originAllowed, type Served } from "./host-check.ts";
import type { Limits } from "./limits.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";

declare module "fastify" {
  interface FastifyRequest {
    actor: Actor | null;
    credential: Credential | null;
    /** It was answered with a stream. */
    streamed: boolean;
  }
  interface FastifyContextConfig {
    readonly name?: string;
    readonly access?: Access;
  }
}

interface GateDeps {
  readonly auth: Authenticator;
  readonly limits: Limits;
  readonly served: () => Served;
  readonly stopping: () => boolean;
  readonly connections: () => number;
}

/**
 * What every request passes before anything of it is read. In this order: is there room, is it
 * meant for us (Host, Origin), does the address exist, who asks, and may they.
 */
export function createGate(deps: GateDeps) {
  return async function gate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.headers(SECURITY_HEADERS);
    reply.header("x-request-id", request.id);
    checkRoom(deps, request, reply);
    checkSender(request, deps.served());
    if (request.is404) throw nothingHere(request, reply);
    await checkActor(deps.auth, request);
  };
}

function checkRoom(
  { limits, stopping, connections }: GateDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (stopping()) {
    reply.header("connection", "close");
    throw new FairleadError("shutting_down");
  }
  if (connections() > limits.connections) {
    reply.header("connection", "close");
    throw new FairleadError("too_many_connections");
  }
  if ((request.raw.url ?? "").length > limits.urlChars) {
    throw badRequest("url", `Longer than ${limits.urlChars} characters.`);
  }
}

function checkSender({ headers, raw }: FastifyRequest, served: Served): void {
  const { host, origin } = headers;
  // Node keeps the first: whoever is in between may have gone by another.
  if (hostHeaders(raw) > 1) throw badRequest("header.host", "Must be given once.");
  if (host === undefined || !hostAllowed(host, served)) throw new FairleadError("bad_host");
  if (origin !== undefined && !originAllowed(origin, host, served)) {
    throw new FairleadError("bad_origin");
  }
}

function nothingHere(request: FastifyRequest, reply: FastifyReply): FairleadError {
  const [path = "/"] = (request.raw.url ?? "/").split("?", 1);
  const methods = allowedMethods(path);
  if (methods.length === 0 || methods.includes(request.method)) return new FairleadError("not_found");
  reply.header("allow", methods.join(", "));
  return new FairleadError("method_not_allowed", { details: { allow: methods } });
}

async function checkActor(auth: Authenticator, request: FastifyRequest): Promise<void> {
  // A route that does not say who may call it is closed, not open.
  const access = request.routeOptions.config.access ?? CLOSED;
  const credential = access.role === null ? undefined : credentialOf(request.headers);
  if (credential !== undefined) {
    if (credential.kind === "cookie" && !cookieRequestAllowed(request.method, request.headers)) {
      throw new FairleadError("bad_origin");
    }
    request.actor = (await auth.authenticate(credential)) ?? null;
    request.credential = credential;
  }
  checkAccess(access, request.actor);
}

/** A client's own name for its request: written beside ours in the log, never instead of it. */
export function requestAlias(header: unknown): string | undefined {
  if (typeof header !== "string" || isId("request", header)) return undefined;
  return /^[\w.:-]{1,128}$/.test(header) ? header : undefined;
}

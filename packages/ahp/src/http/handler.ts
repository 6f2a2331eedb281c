import type { IncomingMessage, ServerResponse } from "node:http";

import { callerKey, ownerKey } from "../auth/accept.ts";
import { admit } from "../auth/admit.ts";
import type { Credentials } from "../auth/credentials.ts";
import { isForeignOrigin } from "../auth/exposure.ts";
import type { GuardOptions } from "../auth/guard-options.ts";
import { AhpError } from "../protocol/errors.ts";
import { NO_ID, writeError } from "../rpc/write.ts";
import type { Reply } from "../server/connection.ts";
import type { AhpServer } from "../server/server.ts";
import { MAX_HELD_BYTES, MAX_MESSAGE_BYTES } from "../transport/limits.ts";
import { readBody } from "./body.ts";
import type { HandshakeStore } from "./greetings.ts";
import { greetingOf, memoryHandshakes } from "./greetings.ts";
import { createShares } from "./shares.ts";

export interface HttpHandlerOptions<C> extends GuardOptions<C> {
  readonly path?: string;
  /** Requests that may wait for an answer at once, of everybody together. */
  readonly maxInFlight?: number;
  /** The same of one credential (of one address where nobody asks); more are answered 503. */
  readonly maxInFlightPerCaller?: number;
  /** Bytes of its unanswered requests; more are answered 503. */
  readonly maxHeldBytesPerCaller?: number;
  readonly handshakes?: HandshakeStore;
}

/** The protocol as a request listener, for a server of your own. */
export function httpHandler<C>(
  server: AhpServer<C>,
  options: HttpHandlerOptions<C> = {},
): (request: IncomingMessage, response: ServerResponse) => void {
  const { path = "/ahp", allowedOrigins = [], maxMessageBytes = MAX_MESSAGE_BYTES } = options;
  const { maxInFlight = 4_096, handshakes = memoryHandshakes() } = options;
  const shares = createShares({
    maxRequests: options.maxInFlightPerCaller ?? 512,
    maxBytes: options.maxHeldBytesPerCaller ?? MAX_HELD_BYTES,
  });
  let inFlight = 0;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const admitted = await admit(options.authenticate, credentialsOf(request));
    if (admitted === null) return refuse(response, 401, "unauthorized", "Who are you?");
    // Gone meanwhile: nobody would give the place back.
    if (response.closed) return;
    const place = shares.take(ownerKey(admitted.by));
    if (place === undefined) return refuse(response, ...OVER_SHARE);
    response.once("close", place.leave);
    const text = await readBody(request, maxMessageBytes, place.keep);
    if (text instanceof AhpError && text.code === "overloaded") return refuse(response, ...OVER_SHARE);
    if (text instanceof AhpError && text.code !== "parse_error") {
      return refuse(response, 413, "message_too_large", text.message);
    }
    const greeting = greetingOf(handshakes, callerKey(admitted.by));
    const connection = server.connect({ transport: "http", context: admitted.context, greeting });
    response.once("close", connection.close);
    answer(response, text instanceof AhpError ? connection.refuse(text) : await connection.receive(text));
  }

  return (request, response) => {
    response.once("close", () => (inFlight -= 1));
    inFlight += 1;
    const refusal = refusalOf(request, path, allowedOrigins);
    if (refusal !== undefined) return refuse(response, ...refusal);
    if (inFlight > maxInFlight) return refuse(response, 503, "overloaded", "Too many requests wait");
    serve(request, response).catch(() => refuse(response, 500, "handler_failed", "Internal error"));
  };
}

type Refusal = [status: number, code: ConstructorParameters<typeof AhpError>[0], message: string];

const OVER_SHARE: Refusal = [503, "overloaded", "Too many requests of yours wait"];

/** What can be told from the head alone. */
function refusalOf(request: IncomingMessage, path: string, origins: readonly string[]): Refusal | undefined {
  if (request.url?.split("?", 1)[0] !== path) return [404, "invalid_request", `Only ${path} is served here`];
  if (request.method !== "POST") return [405, "invalid_request", "Only POST is served here"];
  if (isForeignOrigin(request.headers.origin, origins)) return [403, "unauthorized", "Unknown origin"];
  const type = request.headers["content-type"] ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type)) return [415, "invalid_request", "Send application/json"];
  return undefined;
}

function credentialsOf(request: IncomingMessage): Credentials {
  const { "x-api-key": apiKey, authorization = "" } = request.headers;
  return {
    apiKey: typeof apiKey === "string" ? apiKey : undefined,
    token: /^Bearer\s+(\S.*)$/i.exec(authorization)?.[1],
    remoteAddress: request.socket.remoteAddress,
  };
}

/** The one place where a reply becomes an HTTP answer. */
function answer(response: ServerResponse, reply: Reply): void {
  if (response.writableEnded || response.destroyed) return;
  if (reply === undefined) {
    response.writeHead(204).end();
    return;
  }
  // A notification that failed has no id; whatever the reason, it is told as an internal error.
  const text =
    typeof reply === "string"
      ? reply
      : writeError(NO_ID, { code: -32603, message: reply.message, data: { code: reply.code } });
  write(response, 200, text);
}

function refuse(response: ServerResponse, ...[status, code, message]: Refusal): void {
  if (response.writableEnded || response.destroyed) return;
  // What is left of the body is not read.
  response.setHeader("connection", "close");
  write(response, status, writeError(NO_ID, new AhpError(code, message)));
}

function write(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

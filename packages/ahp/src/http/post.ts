import type { Agent, ClientRequest, IncomingMessage } from "node:http";
import { request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";

import type { AhpErrorCode } from "../protocol/errors.ts";
import { AhpError } from "../protocol/errors.ts";
import { readBody } from "./body.ts";

export interface Exchange {
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly text: string;
  readonly agent: Agent;
  readonly maxBytes: number;
  /** It may reach the harness twice. */
  readonly repeatable: boolean;
}

/** What statuses other than success mean to a client. */
const STATUS_ERRORS: Record<number, AhpErrorCode> = {
  401: "unauthorized",
  403: "unauthorized",
  413: "message_too_large",
  502: "connection_failed",
  503: "connection_failed",
  504: "connection_failed",
};

/** Errors before the harness can have heard anything: trying again repeats nothing. */
const UNREACHED = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

/** One message there and its answer back; undefined when there is no body. */
export function post(exchange: Exchange): {
  answered: Promise<string | undefined>;
  abandon: () => void;
} {
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  let current: ClientRequest;
  let isAbandoned = false;

  function start(isAgain: boolean): void {
    const { url, agent, text, headers } = exchange;
    const send = url.protocol === "https:" ? secureRequest : plainRequest;
    const request = send(url, {
      method: "POST",
      agent,
      headers: {
        ...headers,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
      },
    });
    let hasAnswer = false;
    current = request;
    request.on("response", (response) => {
      hasAnswer = true;
      readResponse(response, exchange.maxBytes).then(resolve, reject);
    });
    request.on("error", (error: NodeJS.ErrnoException) => {
      if (hasAnswer) return;
      // Most likely an idle connection that the server closed while we picked it up; but it may have read the
      // message first, so only what may be heard twice is sent again. Our own hanging up looks the same.
      const isStale = request.reusedSocket && error.code === "ECONNRESET";
      if (isStale && exchange.repeatable && !isAgain && !isAbandoned) return start(true);
      const code = UNREACHED.has(error.code ?? "") ? "connection_failed" : "connection_lost";
      reject(new AhpError(code, `Cannot reach ${url.host}: ${error.message}`, { cause: error }));
    });
    request.end(text);
  }

  function abandon(): void {
    isAbandoned = true;
    current.destroy();
  }

  start(false);
  return { answered: promise, abandon };
}

async function readResponse(response: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const status = response.statusCode ?? 0;
  if (status === 204) {
    response.resume();
    return undefined;
  }
  const body = await readBody(response, maxBytes);
  if (body instanceof AhpError) {
    response.destroy();
    throw body.code === "parse_error" ? new AhpError("bad_answer", body.message) : body;
  }
  if (status === 200) return body;
  throw new AhpError(STATUS_ERRORS[status] ?? "bad_answer", `The harness answered with HTTP ${status}`);
}

import { Agent as PlainAgent } from "node:http";
import { Agent as SecureAgent } from "node:https";

import type { Auth } from "../auth/credentials.ts";
import { AhpError } from "../protocol/errors.ts";
import { readAnswer } from "../rpc/answer.ts";
import { parseJson } from "../rpc/read.ts";
import { MAX_MESSAGE_BYTES } from "../transport/limits.ts";
import type { Transport } from "../transport/transport.ts";
import type { Exchange } from "./post.ts";
import { post } from "./post.ts";

export interface HttpOptions {
  readonly url: string;
  readonly auth?: Auth;
  readonly maxMessageBytes?: number;
  /** For a proxy, or TLS settings of your own. */
  readonly agent?: PlainAgent | SecureAgent;
}

/** One POST a message. There is no connection to lose: each request reaches the harness or fails. */
export function http(options: HttpOptions): Transport {
  const target = targetOf(options);
  const agent = options.agent ?? newAgent(target.url);
  return {
    name: "http",
    lifetime: "message",
    async connect() {
      const open = new Set<() => void>();
      let alive = true;

      function send(text: string, repeatable: boolean): [Promise<string | undefined>, () => void] {
        const { answered, abandon } = post({ ...target, agent, text, repeatable });
        open.add(abandon);
        return [answered.finally(() => open.delete(abandon)), abandon];
      }

      return {
        ask(id, text, settle, repeatable = false) {
          const [answered, abandon] = send(text, repeatable);
          let isForgotten = false;
          answered.then(
            (body) => {
              if (!isForgotten) settle(readAnswer(body === undefined ? undefined : parseJson(body), id));
            },
            (error) => {
              if (!isForgotten) settle({ ok: false, error });
            },
          );
          return () => {
            isForgotten = true;
            abandon();
          };
        },
        async tell(text) {
          const [answered] = send(text, false);
          const body = await answered;
          if (body === undefined || body === "") return;
          const answer = readAnswer(parseJson(body), "");
          if (!answer.ok) throw answer.error;
        },
        get alive() {
          return alive;
        },
        async close() {
          alive = false;
          for (const abandon of open) abandon();
          if (options.agent === undefined) agent.destroy();
        },
      };
    },
  };
}

function targetOf({
  url,
  auth,
  maxMessageBytes = MAX_MESSAGE_BYTES,
}: HttpOptions): Omit<Exchange, "text" | "agent" | "repeatable"> {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== "http:" && parsed?.protocol !== "https:") {
    throw new AhpError("transport_unsupported", `Not an http or https URL: ${url}`);
  }
  return {
    url: parsed,
    headers: auth === undefined ? {} : authHeader(auth),
    maxBytes: maxMessageBytes,
  };
}

function authHeader(auth: Auth): Record<string, string> {
  const [name, value] =
    "apiKey" in auth ? ["x-api-key", auth.apiKey] : ["authorization", `Bearer ${auth.token}`];
  if (/[^\x20-\x7e]/.test(value)) {
    throw new AhpError("unauthorized", "A credential sent in a header must be printable ASCII");
  }
  return { [name]: value };
}

function newAgent(url: URL): PlainAgent | SecureAgent {
  const settings = { keepAlive: true, timeout: 0 };
  return url.protocol === "https:" ? new SecureAgent(settings) : new PlainAgent(settings);
}

import type { AhpClient } from "../../client/client.ts";
import { createClient } from "../../client/create-client.ts";
import type { ClientOptions } from "../../client/options.ts";
import type { AhpErrorCode } from "../../protocol/errors.ts";
import { AhpError } from "../../protocol/errors.ts";
import type { Answer } from "../../rpc/answer.ts";
import type { Connection, Transport } from "../../transport/transport.ts";
import type { TransportName } from "../transports.ts";
import { FULL } from "../samples/payloads.ts";
import type { ClientMutant } from "./mutant.ts";
import type { Loose } from "./rewire.ts";

const ALLOW = { decision: "allow" };

/** What goes wrong between a good client and the wire. */
interface Fault {
  readonly ask?: (message: Loose) => Loose;
  readonly tell?: (message: Loose) => Loose;
  readonly hear?: (answer: Answer, message: Loose) => Answer;
  readonly lifetime?: Transport["lifetime"];
  /** Changes the bytes of a request. */
  readonly textOut?: (text: string) => string;
}

function rewire(transport: Transport, { ask, tell, hear, lifetime, textOut }: Fault): Transport {
  return {
    ...transport,
    lifetime: lifetime ?? transport.lifetime,
    async connect(options) {
      const connection: Connection = await transport.connect(options);
      return {
        ...connection,
        get alive() {
          return connection.alive;
        },
        ask(id, text, settle) {
          const message = JSON.parse(text) as Loose;
          const sent = ask ? JSON.stringify(ask(message)) : text;
          return connection.ask(id, textOut?.(sent) ?? sent, (answer) =>
            settle(hear ? hear(answer, message) : answer),
          );
        },
        tell: (text) => connection.tell(tell ? JSON.stringify(tell(JSON.parse(text))) : text),
      };
    },
  };
}

function faulty(
  id: string,
  caughtBy: string,
  fault: Fault,
  transport: TransportName = "in-process",
  options: Partial<ClientOptions> = {},
): ClientMutant {
  return {
    id,
    caughtBy,
    transport,
    make: (way, given) => createClient(rewire(way, fault), { ...given, ...options }),
  };
}

/** A client that does not make one of the checks: what it should refuse, it takes as allowed. */
function lenient(id: string, caughtBy: string, code: AhpErrorCode, result: unknown = ALLOW): ClientMutant {
  return faulty(id, caughtBy, {
    hear: (answer, { method }) =>
      !answer.ok && answer.error.code === code && method !== "ahp/handshake" ? { ok: true, result } : answer,
  });
}

/** A client with some methods replaced. */
function replaced(
  id: string,
  caughtBy: string,
  change: (client: AhpClient) => Partial<AhpClient>,
): ClientMutant {
  return {
    id,
    caughtBy,
    transport: "in-process",
    make(way, options) {
      const client = createClient(way, options);
      return Object.defineProperties(
        { ...client },
        {
          ...Object.getOwnPropertyDescriptors(client),
          ...Object.getOwnPropertyDescriptors(change(client)),
        },
      );
    },
  };
}

function versionTold(version: string): Fault {
  return {
    hear: (answer, { method }) =>
      answer.ok && method === "ahp/handshake"
        ? { ok: true, result: { ...(answer.result as object), protocol_version: version } }
        : answer,
  };
}

export const CLIENT_MUTANTS: readonly ClientMutant[] = [
  replaced("client-greets-by-itself", "client:handshake-first", (client) => ({
    decide: async (type, payload, options) => {
      await client.handshake();
      return client.decide(type, payload, options);
    },
  })),
  faulty("client-any-major", "client:major", versionTold("2.4")),
  faulty("client-exact-minor", "client:minor", versionTold("9.0")),
  lenient("client-any-version", "client:version", "bad_answer"),
  lenient("client-any-id", "client:id", "id_mismatch"),
  lenient("client-error-is-allow", "client:error", "peer_error"),
  lenient("client-no-result-is-allow", "client:no-result", "bad_answer"),
  lenient("client-null-is-allow", "client:null-result", "bad_answer"),
  replaced("client-any-count", "client:batch-count", (client) => ({
    batch: (entries, options) =>
      client.batch(entries, options).catch(() => entries.map(() => ({ decision: "allow" }))),
  })),
  replaced("client-fails-open", "client:timeout", failOpen),
  replaced("client-lost-is-allow", "client:lost", failOpen),
  replaced("client-garbage-is-allow", "client:not-json", failOpen),
  replaced("client-ignores-abort", "client:abort", (client) => ({
    decide: (type, payload, options) => client.decide(type, payload, { ...options, signal: undefined }),
  })),
  replaced("client-takes-any-decision", "client:refuse:planning", (client) => ({
    decide: (type, payload, options) =>
      client
        .decide(type, payload, options)
        .catch(() => ({ decision: "allow", selected_strategy: "none" }) as never),
  })),
  faulty("client-modifies-into-null", "client:null-modify", {
    hear: (answer) =>
      answer.ok && (answer.result as Loose).modified_payload === null
        ? { ok: true, result: { ...(answer.result as Loose), modified_payload: {} } }
        : answer,
  }),
  faulty("client-number-ids", "client:string-ids", {
    ask: (message) => (message.method === "ahp/handshake" ? message : { ...message, id: 7 }),
  }),
  faulty("client-same-id", "client:string-ids", {}, "in-process", { newId: () => "always" }),
  faulty("client-notices-with-id", "client:tell:post_action", {
    tell: (message) => ({ ...message, id: "n" }),
  }),
  faulty("client-writes-null", "client:no-null", {
    ask: (message) => ({ ...message, params: { ...message.params, metadata: null } }),
  }),
  faulty("client-own-session", "client:full-event", {
    ask: (message) => ({ ...message, params: { ...message.params, session_id: "sess-1" } }),
  }),
  faulty("client-forgets-metadata", "client:full-event", {
    tell: (message) => ({ ...message, params: { ...message.params, metadata: undefined } }),
  }),
  faulty("client-unbounded", "client:bounded", {}, "in-process", { maxInFlight: 1_000 }),
  replaced("client-unpacks-batches", "client:batch-generic", (client) => ({
    batch: async (entries) =>
      Promise.all(entries.map(({ type, payload }) => client.decide(type as never, payload as never))),
  })),
  replaced("client-mends-payloads", "client:bad-payload", (client) => ({
    decide: (type, payload, options) =>
      client.decide(type, payload, options).catch(() => client.decide(type, FULL[type] as never, options)),
  })),
  replaced("client-ignores-limits", "client:limits", (client) => ({
    decide: (type, payload, options) => client.decide(type, payload, { ...options, depth: 0 }),
  })),
  replaced("client-talks-after-close", "client:close", (client) => ({ close: async () => void client })),
  faulty("client-gives-up", "client:reconnect", { lifetime: "process" }, "unix"),
  faulty("client-breaks-lines", "client:line", { textOut: (text) => text.replace(",", ",\n") }, "unix"),
];

function failOpen(client: AhpClient): Partial<AhpClient> {
  return {
    decide: (type, payload, options) =>
      client.decide(type, payload, options).catch((error: unknown) => {
        if (error instanceof AhpError) return ALLOW as never;
        throw error;
      }),
  };
}

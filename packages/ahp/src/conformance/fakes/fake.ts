import type { Auth } from "../../auth/credentials.ts";
import type { BlockingType } from "../../protocol/events.ts";
import { isBlocking, isEventType } from "../../protocol/events.ts";
import type { Transport } from "../../transport/transport.ts";
import { DECISIONS } from "../samples/decisions.ts";

/** A harness made of bytes: it answers what it is told to, right or wrong, to see what a client makes of it. */
export interface Fake {
  /** Where a client connects. */
  readonly url: string;
  /** The client's way to it. */
  transport(auth?: Auth): Transport;
  /** Everything that came, in order. */
  readonly received: Received[];
  /** How to answer; put back to `polite` by `reset`. */
  answer: Answerer;
  /** Breaks every connection, as a crash would. */
  cut(): void;
  reset(): void;
  close(): Promise<void>;
}

/** One message as it came. */
export interface Received {
  readonly text: string;
  readonly message: WireMessage;
  /** HTTP and WebSocket: the request that carried it. */
  readonly head?: { method: string; url: string; headers: NodeJS.Dict<string | string[]> };
  readonly isBinary?: boolean;
}

export interface WireMessage {
  jsonrpc?: unknown;
  id?: unknown;
  method?: unknown;
  params?: Record<string, unknown>;
}

/** What to say: messages in the transport's framing, bytes without it, or an HTTP status. */
export interface Saying {
  readonly texts?: readonly string[];
  readonly bytes?: readonly Uint8Array[];
  readonly status?: number;
  /** Break the connection instead. */
  readonly cut?: boolean;
}

export type Answerer = (received: Received) => Saying | Promise<Saying>;

export const WELCOME = {
  protocol_version: "2.4",
  harness_info: { name: "fake", version: "1", capabilities: [] },
};

/** Answers everything rightly. */
export const polite: Answerer = ({ message }) => {
  const result = politeResult(message);
  return message.id === undefined || result === undefined ? {} : resultOf(message, result);
};

function politeResult({ method, params }: WireMessage): unknown {
  switch (method) {
    case "ahp/handshake":
      return WELCOME;
    case "ahp/query":
      return { answer: { polite: true } };
    case "ahp/batch":
      return { decisions: ((params?.["events"] ?? []) as unknown[]).map(() => ({ decision: "allow" })) };
    case "ahp/event": {
      const type = params?.["event_type"];
      if (!isEventType(type) || !isBlocking(type)) return undefined;
      return Object.values(DECISIONS[type as BlockingType])[0];
    }
    default:
      return undefined;
  }
}

export function resultOf({ id }: WireMessage, result: unknown): Saying {
  return { texts: [JSON.stringify({ jsonrpc: "2.0", id, result })] };
}

/** Polite, but for events, queries and batches that want an answer. */
export function answering(say: (message: WireMessage) => Saying | Promise<Saying>): Answerer {
  return (received) => {
    const { id, method } = received.message;
    return id === undefined || method === "ahp/handshake" ? polite(received) : say(received.message);
  };
}

/** What the fakes have in common: a record, and an answer that can be changed. */
export function createScript(): Pick<Fake, "received" | "answer" | "reset"> & {
  take(received: Omit<Received, "message">): Promise<Saying>;
} {
  const script = {
    received: [] as Received[],
    answer: polite,
    reset() {
      script.received.length = 0;
      script.answer = polite;
    },
    async take(given: Omit<Received, "message">): Promise<Saying> {
      const received = { ...given, message: parse(given.text) };
      script.received.push(received);
      return script.answer(received);
    },
  };
  return script;
}

/** What cannot be read is kept as a message that says nothing. */
function parse(text: string): WireMessage {
  try {
    return JSON.parse(text) as WireMessage;
  } catch {
    return {};
  }
}

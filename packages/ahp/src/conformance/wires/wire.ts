/** The protocol as bytes: no client of ours in between, so that a check sees what is really sent. */
export interface Wire {
  /** Sends one message, good or bad, in this transport's framing; over HTTP it resolves with the answer. */
  send(message: string | Uint8Array): Promise<void>;
  /** Sends bytes without framing; only where there is a stream of bytes. */
  sendBytes?(bytes: Uint8Array): Promise<void>;
  readonly inbox: Inbox;
  /** Settles when the harness has ended the connection. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** What came back. */
export interface Inbox {
  /** Every message so far, as text. */
  readonly texts: readonly string[];
  /** HTTP statuses so far. */
  readonly statuses: number[];
  readonly headers: Record<string, string | string[] | undefined>[];
  put(text: string): void;
  /** The first message, counted from `from`, that fits: now or within the patience. */
  find(fits: (message: Answered) => boolean, from?: number): Promise<Answered>;
}

/** A parsed answer, nothing checked. */
export interface Answered {
  jsonrpc?: unknown;
  id?: unknown;
  result?: unknown;
  error?: { code?: unknown; message?: unknown } | null;
}

const PATIENCE_MS = 3_000;

export function createInbox(): Inbox {
  const texts: string[] = [];
  const waiting = new Set<() => void>();

  return {
    texts,
    statuses: [],
    headers: [],
    put(text) {
      texts.push(text);
      for (const look of waiting) look();
    },
    find(fits, from = 0) {
      const { promise, resolve, reject } = Promise.withResolvers<Answered>();
      const look = () => {
        const messages = texts.slice(from).map(parse);
        const fitting = messages.find((message) => message !== undefined && fits(message));
        if (fitting !== undefined) resolve(fitting);
      };
      waiting.add(look);
      const timer = setTimeout(() => reject(new Error(`no such answer in ${PATIENCE_MS} ms`)), PATIENCE_MS);
      look();
      const found = promise.finally(() => {
        clearTimeout(timer);
        waiting.delete(look);
      });
      // A check may fail before it comes to wait for this one.
      found.catch(() => {});
      return found;
    },
  };
}

function parse(text: string): Answered | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === "object" && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}

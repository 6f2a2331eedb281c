import { AhpError } from "../protocol/errors.ts";
import type { HandshakeResult } from "../protocol/methods.ts";
import type { Connection, Transport } from "../transport/transport.ts";
import { within } from "../within.ts";
import type { Deadline } from "./deadline.ts";

const LAST_WAIT_MS = 500;

/** Keeps one greeted connection to the harness, and opens the next when it is lost. */
export interface Line {
  /** The greeted connection, if it is alive. */
  current(): Connection | undefined;
  /** Opens and greets. Callers share one attempt, each with its own patience. */
  open(deadline: Deadline): Promise<Connection>;
  /** Counts the handshakes. */
  readonly greeting: number;
  /** The harness does not know that handshake any more: the next message is preceded by another. */
  greetAgain(forgotten: number): void;
  /** What the last handshake told. */
  readonly harness: HandshakeResult | undefined;
  close(): Promise<void>;
}

export interface LineOptions {
  readonly transport: Transport;
  readonly timeoutMs: number;
  readonly onStray: (what: string) => void;
  /** The handshake on a fresh connection. */
  readonly greet: (connection: Connection, signal: AbortSignal) => Promise<HandshakeResult>;
}

export function createLine({ transport, timeoutMs, onStray, greet }: LineOptions): Line {
  let connection: Connection | undefined;
  let opening: Promise<Connection> | undefined;
  const closing = new AbortController();
  let harness: HandshakeResult | undefined;
  let greeting = 0;

  function current(): Connection | undefined {
    return connection?.alive ? connection : undefined;
  }

  async function attempt(): Promise<Connection> {
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), closing.signal]);
    const fresh = await transport.connect({ signal, onStray });
    try {
      harness = await greet(fresh, closing.signal);
      greeting += 1;
      if (closing.signal.aborted) throw closed();
    } catch (error) {
      await fresh.close();
      throw error;
    }
    connection = fresh;
    return fresh;
  }

  function shared(): Promise<Connection> {
    opening ??= attempt().finally(() => {
      opening = undefined;
    });
    return opening;
  }

  return {
    current,
    get harness() {
      return harness;
    },
    open(deadline) {
      const alive = current();
      if (alive !== undefined) return Promise.resolve(alive);
      if (closing.signal.aborted) return Promise.reject(closed());
      if (harness !== undefined && transport.lifetime === "process") {
        const message = `The ${transport.name} connection is lost and cannot be opened again`;
        return Promise.reject(new AhpError("closed", message));
      }
      return deadline.race((resolve, reject) => {
        shared().then(resolve, (error) => reject(toAhpError(error)));
      });
    },
    get greeting() {
      return greeting;
    },
    greetAgain(forgotten) {
      // Only where there is no connection; on one, a harness that forgets its peer is broken.
      if (transport.lifetime === "message" && forgotten === greeting) connection = undefined;
    },
    async close() {
      closing.abort();
      // A transport that does not heed the signal is not waited for; what it opens will be closed.
      await within(LAST_WAIT_MS, opening);
      await connection?.close();
      connection = undefined;
    },
  };
}

function closed(): AhpError {
  return new AhpError("closed", "The client is closed");
}

function toAhpError(error: unknown): AhpError {
  if (error instanceof AhpError) return error;
  return new AhpError("connection_failed", `Cannot connect: ${String(error)}`, { cause: error });
}

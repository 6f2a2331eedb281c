import type { Answer } from "../rpc/answer.ts";

/** A way to one harness. */
export interface Transport {
  readonly name: string;
  /** A lost connection is opened again, a process that ended is not, and a message has nothing to lose. */
  readonly lifetime: "connection" | "process" | "message";
  /** Opens a connection or rejects with an AhpError. */
  connect(options: ConnectOptions): Promise<Connection>;
}

export interface ConnectOptions {
  readonly signal: AbortSignal;
  /** Hears of messages that belong to no request. Must not throw. */
  readonly onStray: (what: string) => void;
}

/** One open way to a harness; carries many requests at once. */
export interface Connection {
  /** Sends a request. `settle` hears once, unless the returned function is called first: it forgets the request. */
  ask(
    id: string,
    text: string,
    settle: (answer: Answer) => void,
    /** It may reach the harness twice. */
    repeatable?: boolean,
  ): (timedOut: boolean) => void;
  /** Sends a notification; resolves when it is handed over. */
  tell(text: string): Promise<void>;
  /** False once lost or closed. */
  readonly alive: boolean;
  close(): Promise<void>;
}

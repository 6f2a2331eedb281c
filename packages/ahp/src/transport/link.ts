import type { AhpError } from "../protocol/errors.ts";

/** A two-way stream of whole text messages: what stdio, sockets and the in-process pair have in common. */
export interface Link {
  /** Hands one message over. A promise means that the peer reads slowly: wait for it before sending more. On a closed link it does nothing. */
  send(text: string): void | Promise<void>;
  /** Starts the flow; called once by the owner. */
  listen(sink: LinkSink): void;
  /** Sends what is queued, then ends. Safe to call twice. */
  close(): Promise<void>;
}

/** What the owner of a link hears. Its members must not throw. */
export interface LinkSink {
  /** A promise stops the reading until it settles. */
  message(text: string): void | Promise<void>;
  /** Something came that is no message; when the framing is lost with it, `closed` follows. */
  garbage(error: AhpError): void;
  /** Called once: nothing more will come. Without an error the peer only ended its side, and a last answer may still reach it. */
  closed(error?: AhpError): void;
}

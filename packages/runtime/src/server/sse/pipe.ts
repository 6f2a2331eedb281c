import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Duplex, Writable } from "node:stream";
import { answerPings } from "@fairlead/ahp/websocket";
import { WebSocketServer } from "ws";

/** What carries the bytes of a stream. They are the same on each: cursors and reconnecting know of no difference. */
export interface Pipe {
  /** The socket below: it says when it is full, when it takes more, and when it has gone. */
  readonly sink: Writable;
  write(bytes: Buffer | string): void;
  /** Ends it, after what was written. */
  end(): void;
}

/**
 * The body has no length and no chunks: it ends with the connection, and goes to the socket as it
 * is. That saves a third of what a write costs, and a stream is cut off more often than ended.
 */
export function responsePipe(res: ServerResponse, headers: OutgoingHttpHeaders): Pipe {
  res.removeHeader("transfer-encoding");
  res.writeHead(200, { ...headers, connection: "close" });
  res.flushHeaders();
  // Without a socket of its own yet, an answer still waits for those to requests before it on the same connection.
  const sink: Writable = res.socket ?? res;
  return { sink, write: (bytes) => void sink.write(bytes), end: () => void res.end() };
}

/** Nobody has to say anything to us here. */
const MOST_HEARD = 1_024;
const MOST_PARTS = 16;
/** A peer that does not close when it is told to is cut off. */
const LINGER_MS = 1_000;

const acceptor = new WebSocketServer({
  noServer: true,
  maxPayload: MOST_HEARD,
  maxFragments: MOST_PARTS,
  perMessageDeflate: false,
  autoPong: false,
});
// With a listener, `ws` leaves the answer to us.
acceptor.on("wsClientError", () => {});

/** A WebSocket in place of a body. Undefined, and nothing written, when the request is no proper one. */
export function socketPipe(request: IncomingMessage, stream: Duplex, head: Buffer): Pipe | undefined {
  let pipe: Pipe | undefined;
  acceptor.handleUpgrade(request, stream, head, (socket) => {
    // Bad framing or too large a message: `ws` has told the peer and closes.
    socket.on("error", () => {});
    answerPings(socket);
    pipe = {
      sink: stream,
      write(bytes) {
        // Always bytes: a part of a large frame may end within a character.
        if (socket.readyState === socket.OPEN) socket.send(bytes, { binary: true });
        // It has said goodbye: nothing would hold up who reads the log for it.
        else socket.terminate();
      },
      end() {
        socket.close(1000);
        const cut = setTimeout(() => socket.terminate(), LINGER_MS);
        stream.once("close", () => clearTimeout(cut));
      },
    };
  });
  return pipe;
}

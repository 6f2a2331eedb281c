import type { WebSocket } from "ws";

/**
 * Answers pings, one at a time: those that come before an answer was taken are answered together, by the newest, as RFC 6455
 * allows. `ws` by itself queues an answer to each, without end for a peer that does not read.
 */
export function answerPings(socket: WebSocket): void {
  let owed: Buffer | undefined;
  let underWay = false;

  function answer(): void {
    if (owed === undefined || underWay) return;
    const ping = owed;
    owed = undefined;
    underWay = true;
    socket.pong(ping, false, () => {
      underWay = false;
      answer();
    });
  }

  socket.on("ping", (data: Buffer) => {
    // A copy: it is a part of all that was read with it.
    owed = Buffer.from(data);
    answer();
  });
}

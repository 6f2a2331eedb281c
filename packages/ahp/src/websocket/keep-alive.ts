import type { WebSocket } from "ws";

/** Pings, and ends a connection whose peer did not answer the ping before: it is half-open. */
export function keepAlive(socket: WebSocket, everyMs: number): void {
  let hasAnswered = true;
  const hear = () => {
    hasAnswered = true;
  };
  socket.on("pong", hear);
  // A pong may wait behind messages.
  socket.on("message", hear);
  const timer = setInterval(() => {
    // While we do not read, no answer can be heard.
    if (socket.isPaused) return hear();
    if (!hasAnswered) return socket.terminate();
    hasAnswered = false;
    socket.ping();
  }, everyMs);
  timer.unref();
  socket.once("close", () => clearInterval(timer));
}

import type { WebSocket } from "ws";

/** Pings, and ends a connection whose peer did not answer the ping before: it is half-open. */
export function keepAlive(socket: WebSocket, everyMs: number): void {
  let hasAnswered = true;
  socket.on("pong", () => {
    hasAnswered = true;
  });
  const timer = setInterval(() => {
    if (!hasAnswered) return socket.terminate();
    hasAnswered = false;
    socket.ping();
  }, everyMs);
  timer.unref();
  socket.once("close", () => clearInterval(timer));
}

export type { AcceptOptions } from "../auth/accept.ts";
export { acceptCredentials } from "../auth/accept.ts";
export type { Auth, Authenticate, Credentials } from "../auth/credentials.ts";
export type { WebSocketOptions } from "./client.ts";
export { websocket } from "./client.ts";
export type { ServeWebSocketOptions, WebSocketHarness } from "./server.ts";
export { serveWebSocket } from "./server.ts";
export type { WebSocketHandler, WebSocketHandlerOptions } from "./upgrade.ts";
export { websocketHandler } from "./upgrade.ts";

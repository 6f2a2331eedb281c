// What a browser gets of this subpath: no server there.
export type { Auth } from "../auth/credentials.ts";
export type { WebSocketOptions } from "./client.ts";
export { websocket } from "./client.ts";
export type { WebSocketLinkOptions } from "./client-link.ts";
export { websocketLink } from "./client-link.ts";

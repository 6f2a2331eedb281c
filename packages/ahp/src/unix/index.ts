export type { UnixOptions } from "./client.ts";
export { unix } from "./client.ts";
export type { ServeUnixOptions, UnixServer } from "./server.ts";
export { serveUnix } from "./server.ts";

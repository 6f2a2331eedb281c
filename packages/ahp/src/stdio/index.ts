export type { LineLinkOptions } from "../lines/link.ts";
export { lineLink } from "../lines/link.ts";
export type { StdioOptions } from "./client.ts";
export { stdio } from "./client.ts";
export type { ServeStdioOptions } from "./server.ts";
export { serveStdio } from "./server.ts";

// What a program on the same machine needs to find a running server, without loading the engine.
export { isAlive } from "./host/alive.ts";
export { ConfigError } from "./host/config-error.ts";
export { looseDirectory } from "./host/data-directory.ts";
export type { HostPaths } from "./host/paths.ts";
export { hostPaths } from "./host/paths.ts";
export { loadSealKey } from "./host/seal-key.ts";
export type { ServerFile } from "./host/servers.ts";
export { findServer, listServers, removeServerFile, writeServerFile } from "./host/servers.ts";
export type { Holder } from "./stores/sqlite/lock.ts";
export { holderOf } from "./stores/sqlite/lock.ts";

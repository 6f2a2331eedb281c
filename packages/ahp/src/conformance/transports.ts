/** Where requirements are run. */
export const TRANSPORTS = ["in-process", "stdio", "unix", "http", "websocket"] as const;
export type TransportName = (typeof TRANSPORTS)[number];

/** Transports that carry many messages over one connection. */
export const STREAMS: readonly TransportName[] = ["in-process", "stdio", "unix", "websocket"];
/** Transports with one message a line. */
export const LINES: readonly TransportName[] = ["stdio", "unix"];
/** Transports whose client opens a lost connection again. */
export const SOCKETS: readonly TransportName[] = ["unix", "websocket"];
/** Transports with credentials. */
export const GUARDED: readonly TransportName[] = ["http", "websocket"];

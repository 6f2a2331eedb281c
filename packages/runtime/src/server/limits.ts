/** What one client may cost. Every bound of the server is here, so that none is forgotten. */
export interface Limits {
  readonly bodyBytes: number;
  /** Nesting of a JSON body: deeper ones overflow the stack of whoever walks them. */
  readonly bodyDepth: number;
  /** All headers and the request line together. */
  readonly headerBytes: number;
  readonly urlChars: number;
  readonly paramChars: number;
  /** Beyond this a connection gets one 503 and is closed. */
  readonly connections: number;
  readonly streamsPerActor: number;
  /** How long a client may take to send its headers, and its whole request. */
  readonly headersMs: number;
  readonly requestMs: number;
  readonly keepAliveMs: number;
  /** Silence on a stream is never longer than this. */
  readonly heartbeatMs: number;
  readonly loginLinkMs: number;
  readonly loginLinks: number;
  /** Short, because a browser sends the cookie to every port of the same host. */
  readonly browserSessionMs: number;
  /** What is still open this long after a stop is cut. */
  readonly stopMs: number;
}

const KIB = 1024;
const MINUTE = 60_000;

export const LIMITS: Limits = {
  bodyBytes: 1024 * KIB,
  bodyDepth: 64,
  headerBytes: 16 * KIB,
  urlChars: 8 * KIB,
  paramChars: 256,
  connections: 10_000,
  streamsPerActor: 2_000,
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 30_000,
  heartbeatMs: 15_000,
  loginLinkMs: 10 * MINUTE,
  loginLinks: 64,
  browserSessionMs: 12 * 60 * MINUTE,
  stopMs: 10_000,
};

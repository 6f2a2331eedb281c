import type { Authenticate } from "./credentials.ts";

/** What every server on the network asks of its peers. */
export interface GuardOptions<C> {
  /** Without it everybody is let in, with an undefined context. */
  readonly authenticate?: Authenticate<C>;
  /** Web pages that may call or connect; none by default. */
  readonly allowedOrigins?: readonly string[];
  readonly maxMessageBytes?: number;
}

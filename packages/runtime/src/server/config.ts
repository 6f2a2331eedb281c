import type { BaseLogger } from "pino";
import type { Clock } from "../ports/clock.ts";
import type { EventLog } from "../ports/event-log.ts";
import type { Ids } from "../ports/ids.ts";
import type { Services } from "../services/types.ts";
import type { Authenticator } from "./auth/authenticator.ts";
import type { CockpitAssets } from "./cockpit/assets.ts";
import type { Limits } from "./limits.ts";
import type { Metrics } from "./metrics.ts";
import type { HarnessFace } from "./routes/harness.ts";

export interface ServerConfig {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** Names the server answers to beside its own address: `name` or `name:port`. */
  readonly allowHosts?: readonly string[];
  /** Reached by https, through a proxy that ends TLS: cookies are Secure and origins https. */
  readonly secure?: boolean;
  /** Shown on its pages and in its OpenAPI document. */
  readonly version: string;
  /** What makes a sign-in link on this machine, as the server was started. Shown to who is not signed in, from here. */
  readonly linkCommand?: string;
  readonly limits?: Partial<Limits>;
}

export type Logger = Pick<BaseLogger, "debug" | "info" | "warn" | "error">;

export interface ServerDeps {
  readonly runtime: {
    readonly log: EventLog;
    readonly services: Services;
    readonly clock: Clock;
    readonly ids: Ids;
  };
  readonly auth: Authenticator;
  readonly config: ServerConfig;
  readonly logger: Logger;
  /** Shared with whoever else counts, such as `observedLog`. */
  readonly metrics?: Metrics;
  /** Serves foreign agents on the same port. */
  readonly harness?: HarnessFace;
  /** The web page; without it a plain start page is served. */
  readonly cockpit?: CockpitAssets;
}

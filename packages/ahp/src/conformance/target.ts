import type { Auth } from "../auth/credentials.ts";
import type { TransportName } from "./transports.ts";
import type { HttpWireOptions } from "./wires/http-wire.ts";
import type { Wire } from "./wires/wire.ts";

/** A harness under test, reached over one transport. */
export interface Target {
  readonly transport: TransportName;
  /** A new connection; nothing has been said on it. */
  open(): Promise<Wire>;
  /** Whether it follows the script (see script.ts). */
  readonly isScripted: boolean;
  /** The largest message it takes, where that is known. */
  readonly maxMessageBytes?: number;
  /** A harness with nothing but the generic handler. */
  openGeneric?(): Promise<Wire>;
  /** A harness that asks for credentials; rejects when it does not let us in. */
  openGuarded?(shown: Auth | undefined): Promise<Wire>;
  /** HTTP only: a harness that nobody has greeted yet. */
  openStranger?(): Promise<Wire>;
  /** HTTP only: a request shaped otherwise. */
  openHttp?(options: Partial<HttpWireOptions> & { path?: string }): Promise<Wire>;
  /** Unix only. */
  readonly socketPath?: string;
}

/** The secrets that a guarded harness of the suite knows. */
export const SECRETS = { apiKey: "k+y &=%#", token: "t/k n?" } as const;

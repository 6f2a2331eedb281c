import type { ClientMaker } from "../client-trial.ts";
import type { Staged } from "../stage.ts";
import type { TransportName } from "../transports.ts";

/** A harness that is wrong in one way, and the requirement that must notice. */
export interface ServerMutant {
  readonly id: string;
  readonly caughtBy: string;
  readonly stage: () => Promise<Staged>;
}

/** A client that is wrong in one way. */
export interface ClientMutant {
  readonly id: string;
  readonly caughtBy: string;
  readonly transport: TransportName;
  readonly make: ClientMaker;
}

import type { TransportName } from "./transports.ts";

/** One MUST of the protocol, as data: the row of a conformance report. */
export interface Requirement {
  readonly id: string;
  readonly side: "server" | "client";
  /** Where it is said: a section of the seed or of the wire page. */
  readonly spec: string;
  readonly behaviour: string;
  readonly transports: readonly TransportName[];
  /** What the harness under test must offer for this to be asked of it. */
  readonly needs: Need;
  /** `ours` goes beyond the documents: a foreign peer that differs is told, not failed. */
  readonly level: "must" | "ours";
}

/**
 * `script`: the harness answers as the event's metadata tells it (see scripted-harness.ts).
 * `generic`: a harness with nothing but the generic handler. `auth`: one that asks for credentials.
 * `limit`: its largest message is known, and not too large to be sent.
 */
export type Need = "nothing" | "script" | "generic" | "auth" | "limit";

type Row = Pick<Requirement, "id" | "behaviour"> & Partial<Requirement>;

/** Rows of one family share what they do not say themselves. */
export function family(
  shared: Pick<Requirement, "side" | "spec" | "transports"> & Partial<Requirement>,
  rows: readonly Row[],
): Requirement[] {
  return rows.map((row) => ({ needs: "nothing", level: "must", ...shared, ...row }));
}

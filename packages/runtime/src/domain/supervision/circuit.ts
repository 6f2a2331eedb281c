/** Whether a supervisor is worth asking. Pure: time is an argument. */
export type Circuit =
  | { readonly state: "closed"; readonly failures: number }
  | { readonly state: "open"; readonly failures: number; readonly until: number }
  /** One question is under way to see if it answers again. */
  | { readonly state: "half_open"; readonly failures: number };

export interface CircuitLimits {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** How long nobody is asked once it is open. */
  readonly pauseMs: number;
}

export const CIRCUIT_LIMITS: CircuitLimits = { failures: 5, pauseMs: 10_000 };

export const NEW_CIRCUIT: Circuit = { state: "closed", failures: 0 };

/** The circuit when somebody wants to ask, and whether they may. */
export function enter(circuit: Circuit, now: number): { readonly circuit: Circuit; readonly may: boolean } {
  switch (circuit.state) {
    case "closed":
      return { circuit, may: true };
    case "half_open":
      return { circuit, may: false };
    case "open":
      if (now < circuit.until) return { circuit, may: false };
      return { circuit: { state: "half_open", failures: circuit.failures }, may: true };
  }
}

/** The circuit after an answer. A late answer to a question from before it opened closes it too: it is alive. */
export function succeeded(): Circuit {
  return NEW_CIRCUIT;
}

export function failed(circuit: Circuit, now: number, limits: CircuitLimits): Circuit {
  const failures = circuit.failures + 1;
  switch (circuit.state) {
    case "closed":
      return failures < limits.failures
        ? { state: "closed", failures }
        : { state: "open", failures, until: now + limits.pauseMs };
    case "half_open":
      return { state: "open", failures, until: now + limits.pauseMs };
    case "open":
      // A question from before it opened: that it failed too is no news.
      return { ...circuit, failures };
  }
}

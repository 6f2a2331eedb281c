import type { Trial } from "./trial.ts";

/** Asserts one requirement against one harness; throws when it is not met. */
export type ServerCheck = (trial: Trial) => Promise<void>;

/** Requirement id to its assertion. */
export type ServerChecks = Readonly<Record<string, ServerCheck>>;

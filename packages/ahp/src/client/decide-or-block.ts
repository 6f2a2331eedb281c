import { AhpError } from "../protocol/errors.ts";
import type { BlockingType, DecisionOf, PayloadInput } from "../protocol/events.ts";
import { FAIL_CLOSED } from "../protocol/fail-closed.ts";
import type { AhpClient } from "./client.ts";
import type { EventOptions } from "./options.ts";

/** A decision, and whether the harness made it. */
export interface Ruling<T extends BlockingType> {
  readonly decision: DecisionOf<T>;
  /** Why there was no answer; undefined when the decision is the harness's own. */
  readonly failure: AhpError | undefined;
}

/** As `client.decide`, but never rejects: without a valid answer the agent is refused. */
export async function decideOrBlock<T extends BlockingType>(
  client: Pick<AhpClient, "decide">,
  type: T,
  payload: PayloadInput<T>,
  options?: EventOptions,
): Promise<Ruling<T>> {
  try {
    return { decision: await client.decide(type, payload, options), failure: undefined };
  } catch (error) {
    const failure =
      error instanceof AhpError ? error : new AhpError("bad_answer", String(error), { cause: error });
    const reason = `No decision (${failure.code}): ${failure.message}`;
    return { decision: FAIL_CLOSED[type](reason), failure };
  }
}
